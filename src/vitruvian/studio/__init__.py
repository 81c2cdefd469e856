"""The studio: a page on this machine in which a scenario is changed, run and watched. One session a browser tab."""
