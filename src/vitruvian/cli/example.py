"""Examples of every command, for its help; a test reads each of them with the command line."""

from __future__ import annotations

#: command -> lines of a shell
EXAMPLES: dict[str, tuple[str, ...]] = {
    "list": ("vitruvian list", "vitruvian list --json"),
    "show": ("vitruvian show fall-4m", "vitruvian show human --age 6 --sex male --percentile 50"),
    "schema": ("vitruvian schema",),
    "check": ("vitruvian check fall-4m", 'vitruvian check fall-4m --set human.height="165 cm"'),
    "run": (
        "vitruvian run fall-4m",
        "vitruvian run fall-stairs --set human.preset=5F --set surface.floor.contact=carpet",
        "vitruvian run fall-standing-backward --to-rest --out out/backward",
        "vitruvian run fall-4m --spread --json",
    ),
    "pedestrian": (
        'vitruvian pedestrian --car suv --speed "40 km/h" --sex female --age 35 --percentile 5 --three-d',
        "vitruvian pedestrian --three-d --from right --to-rest",
    ),
    "sled": ("vitruvian sled --belt three-point --preset 5F", "vitruvian sled --pulse pulse.csv --belt lap"),
    "exercise": (
        "vitruvian exercise heel-raise squat hop",
        "vitruvian exercise measured.csv --filter '6 Hz' --out out/exercise",
        "vitruvian exercise --optimize squat-for-strain",
    ),
    "modes": (
        "vitruvian modes tibia-three-point-bending --modes 6 --without 5 --out out/modes",
        "vitruvian modes fall-ladder-3m --set 'human.flexible=[\"shank\"]' --run",
    ),
    "study": ("vitruvian study fall-height", "vitruvian study my-study.toml --out out/study"),
    "optimize": ("vitruvian optimize car-front-optimum",),
    "reconstruct": ("vitruvian reconstruct reconstruct-wad",),
    "view": (
        "vitruvian view out/fall-4m",
        'vitruvian view out/fall-4m --frames "0 ms,900 ms,1.4 s" --camera side',
        "vitruvian view out/fall-4m --movie fall.mp4 --camera follow",
        'vitruvian view out/pedestrian --photo scene.jpg --points points.csv --frames "120 ms"',
    ),
    "contacts": ("vitruvian contacts out/fall-4m",),
    "plot": ("vitruvian plot out/fall-4m head.acceleration --out head.png",),
    "compare": (
        "vitruvian compare out/fall-4m out/fall-4m-elastic --only head.acceleration --out page.html",
        "vitruvian compare test.csv out/sled",
    ),
    "convert": (
        "vitruvian convert out/fall-4m --to glb --skin",
        "vitruvian convert out/fall-4m --to csv --only right_ankle --out ankle.csv",
    ),
    "studio": ("vitruvian studio", "vitruvian studio pedestrian-side-left --port 8090"),
    "assess": ("vitruvian assess out/fall-4m", "vitruvian assess head.csv --size 5F --only HIC15 --csv table.csv"),
    "cite": ("vitruvian cite out/fall-4m --bibtex",),
    "verify": ("vitruvian verify", "vitruvian verify free-flight"),
    "reproduce": ("vitruvian reproduce", "vitruvian reproduce thesis-6.5"),
    "validate": ("vitruvian validate", "vitruvian validate standing-falls"),
    "formulations": ("vitruvian formulations double-pendulum",),
    "bench": ("vitruvian bench",),
    "warmup": ("vitruvian warmup",),
    "cache": ("vitruvian cache",),
}


def epilog(command: str) -> str:
    """Return the examples of a command as the end of its help; lines are kept as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[command])
