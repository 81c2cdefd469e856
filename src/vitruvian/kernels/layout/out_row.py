"""Layout of `work.out` and `work.mean`: bodies, joints, pairs, webbing, airbags, segments in them, muscles, the points
of their paths, loops, powers.

Each has so many numbers.
"""

BODY = 6  # acceleration of the centre of mass, angular acceleration
JOINT = 10  # torque of the resistance, reaction force, whole moment; power lost in the resistance
JOINT_REACTION = 3  # place of force and moment among them
JOINT_LOSS = 9  # place of the last among them
PAIR = 6  # force on body a; elastic, dissipated and frictional power
STRAND = 12  # of a waypoint: tension and elongation of the section after it, payout of its reel, nodes of the webbing
STRAND_NODE = 3  # place of the nodes
NODES = 3  # their number: entry, guide, exit
MUSCLE = 6  # force, length, its rate, activation, length of the fibres, power
COURSE = 9  # of a point of its path: entry, middle and exit
BAG = 5  # gauge pressure, volume of the gas, mass flow in and out, size over the full size
DIP = 3  # force on a segment that dips into an airbag
CLOSURE = 7  # force and moment of a loop on its child at the joint point; power
