"""Types of fureai. A keyword argument that is not given has the default of its docstring."""
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, Self, SupportsFloat, SupportsIndex, overload

__version__: str
__all__: list[str]

_Vector = Sequence[SupportsFloat]
_Id = tuple[int, int, int]
_Bounds = tuple[tuple[float, float, float], tuple[float, float, float]]
_Point = tuple[float, float, float]
_Array = Any  # an object with the buffer protocol, or a sequence of rows
_Path = str | bytes | PathLike[str] | PathLike[bytes]
_Progress = Callable[[float, str], object] | None
_PoseLike = Pose | _Vector | None
_Rule = tuple[Literal["ignore", "only"], str, str] | tuple[Literal["clearance"], str, str, float]
_Shape = Mesh | Iterable[Mesh | tuple[Mesh, _PoseLike] | tuple[str, Mesh, _PoseLike]]

STATIC: int
SENSOR: int
REAL: int
SELF: int
GHOST: int
PROXY: int

def version() -> str: ...
def clash(parts: _Shape, /, *, tolerance: float = ..., clearance: float = ..., rules: Iterable[_Rule] | None = ...,
          tasks: TaskPool | None = ..., progress: _Progress = ...) -> list[Clash]: ...
def plan(space: Space, shape: _Shape, start: _PoseLike, goal: _PoseLike, /, *, bounds: Any, **options: Any) -> Path: ...
def check_path(space: Space, shape: _Shape, states: Iterable[_PoseLike], /, *, bounds: Any, **options: Any) -> PathCheck: ...
def simd() -> Literal["baseline", "avx2"]: ...

class Error(Exception):
    path: str | None
    line: int
    column: int
    status: str

class OutOfMemoryError(Error, MemoryError): ...
class ArgumentError(Error, ValueError): ...
class NotFiniteError(Error, ValueError): ...
class LimitError(Error, ValueError): ...
class FormatError(Error, ValueError): ...
class VersionError(Error, ValueError): ...
class CorruptError(Error, ValueError): ...
class UnsupportedError(Error, NotImplementedError): ...
class StaleIdError(Error, LookupError): ...
class StaleDataError(Error, RuntimeError): ...
class BusyError(Error, RuntimeError): ...
class StoppedError(Error, RuntimeError): ...
class FileError(Error, OSError): ...
class RefusedError(Error, OSError): ...
class ClosedError(Error, ValueError): ...

class Array:
    shape: tuple[int, ...]
    format: str
    def tolist(self) -> list[Any]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, key: slice | str) -> Array: ...
    def __buffer__(self, flags: int) -> memoryview: ...

class Pose:
    position: _Point
    rotation: tuple[float, float, float, float]
    scale: float
    matrix: tuple[tuple[float, float, float, float], ...]
    def __init__(self, position: _Vector = ..., rotation: _Vector = ..., scale: float = ...) -> None: ...
    @classmethod
    def from_axis_angle(cls, axis: _Vector, angle: float, position: _Vector = ..., scale: float = ...) -> Self: ...
    @classmethod
    def from_matrix(cls, matrix: _Array, /) -> Self: ...
    def apply(self, point: _Vector, /) -> _Point: ...
    def apply_many(self, points: _Array, /) -> Array: ...
    def inverse(self) -> Pose: ...
    def __mul__(self, other: Pose) -> Pose: ...

class Motion:
    start: Pose
    travel: _Point
    turn: _Point
    pivot: _Point
    def __init__(self, start: _PoseLike = ..., travel: _Vector = ..., turn: _Vector = ..., pivot: _Vector = ...) -> None: ...
    @classmethod
    def between(cls, a: _PoseLike, b: _PoseLike, pivot: _Vector = ..., screw: bool = ...) -> Self: ...
    def pose(self, t: float, /) -> Pose: ...
    def point(self, point: _Vector, t: float, /) -> _Point: ...

class _Handle:
    closed: bool
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...

class TaskPool(_Handle):
    closed: bool
    workers: int
    def __init__(self, workers: int = ...) -> None: ...
    def close(self) -> None: ...

class Mass(tuple[Any, ...]):
    area: float
    volume: float
    center: _Point
    inertia: tuple[_Point, _Point, _Point]

class Topology(tuple[Any, ...]):
    border_edges: int
    crowded_edges: int
    flipped_edges: int
    component_count: int
    is_closed: bool
    is_manifold: bool

class Mesh(_Handle):
    closed: bool
    vertex_count: int
    triangle_count: int
    face_count: int
    bounds: _Bounds
    degenerate_count: int
    vertices: Array
    triangles: Array
    faces: Array
    def __init__(self, vertices: _Array, triangles: _Array, faces: _Array | None = ..., /, *, is_double: bool = ...,
                 tasks: TaskPool | None = ..., progress: _Progress = ...) -> None: ...
    def close(self) -> None: ...
    @classmethod
    def box(cls, *, size: _Vector = ..., **like: Any) -> Mesh: ...
    @classmethod
    def sphere(cls, *, radius: float = ..., stacks: int = ..., slices: int = ..., axis: str = ..., **like: Any) -> Mesh: ...
    @classmethod
    def capsule(cls, *, radius: float = ..., length: float = ..., stacks: int = ..., slices: int = ..., axis: str = ...,
                **like: Any) -> Mesh: ...
    @classmethod
    def cylinder(cls, *, radius: float = ..., length: float = ..., slices: int = ..., axis: str = ..., **like: Any) -> Mesh: ...
    @classmethod
    def cone(cls, *, radius: float = ..., length: float = ..., slices: int = ..., axis: str = ..., **like: Any) -> Mesh: ...
    @classmethod
    def torus(cls, *, radius: float = ..., tube: float = ..., slices: int = ..., sides: int = ..., axis: str = ...,
              **like: Any) -> Mesh: ...
    @classmethod
    def named(cls, name: str, /, **like: Any) -> Mesh: ...
    @classmethod
    def names(cls) -> list[str]: ...
    def mass(self) -> Mass: ...
    def topology(self, *, is_welded: bool = ..., progress: _Progress = ...) -> Topology: ...
    def contains(self, point: _Vector, /) -> bool: ...
    def winding(self, point: _Vector, /) -> float: ...

class Node(tuple[Any, ...]):
    name: str
    parent: int | None
    mesh: int | None
    material: int | None
    flags: int

class Warning(tuple[Any, ...]):
    line: int
    column: int
    message: str

class Model(_Handle):
    closed: bool
    format: str
    vertex_count: int
    face_count: int
    triangle_count: int
    warning_count: int
    bounds: _Bounds
    unit: float
    node_count: int
    nodes: list[Node]
    warnings: list[Warning]
    def close(self) -> None: ...
    @classmethod
    def read(cls, path: _Path, /, *, precision: Literal["as file", "float", "double"] = ..., is_strict: bool = ...,
             unit: float = ..., up: Literal["as file", "x", "y", "z"] = ..., may_guess: bool = ...,
             has_all_choices: bool = ..., level: int = ..., facet_tolerance: float = ..., progress: _Progress = ...) -> Model: ...
    @classmethod
    def read_bytes(cls, data: _Array, /, *, name: str = ..., **as_of_read: Any) -> Model: ...
    @classmethod
    def from_mesh(cls, mesh: Mesh, name: str | None = ..., /) -> Model: ...
    def write(self, path: _Path, /, *, format: str = ..., unit: float = ..., up: str = ..., is_uncooked: bool = ...,
              progress: _Progress = ...) -> None: ...
    def mesh(self, node: int | None = ..., /, *, is_double: bool = ..., is_in_own_frame: bool = ...,
             use: Literal["touch", "show"] = ..., tasks: TaskPool | None = ..., progress: _Progress = ...) -> Mesh: ...
    def parts(self, *, is_double: bool = ..., use: Literal["touch", "show"] = ..., tasks: TaskPool | None = ...,
              progress: _Progress = ...) -> list[tuple[str, Mesh, Pose]]: ...

class Object:
    pose: Pose
    next: Pose
    motion: Motion
    flags: int
    is_moving: bool
    part_count: int
    triangle_count: int
    vertex_count: int
    layers: int
    mask: int
    group: int
    pivot: _Point
    id: _Id
    index: int
    space: Space
    exists: bool
    bounds: _Bounds
    parts: list[tuple[Mesh, Pose]]
    def corners(self, triangle: int, /) -> tuple[_Point, _Point, _Point]: ...
    def face(self, triangle: int, /) -> int: ...
    def set_vertices(self, vertices: _Array, /) -> None: ...
    def set_next_vertices(self, vertices: _Array, /) -> None: ...
    def remove(self) -> None: ...

class Space(_Handle):
    closed: bool
    objects: list[Object]
    is_current: bool
    def __init__(self, origin: _Vector = ...) -> None: ...
    def __len__(self) -> int: ...
    def close(self) -> None: ...
    def add(self, shape: _Shape, pose: _PoseLike = ..., /, *, pivot: _Vector = ..., layers: int = ..., mask: int = ...,
            group: int = ..., flags: int = ...) -> Object: ...
    def update(self, *, tasks: TaskPool | None = ...) -> None: ...
    def commit(self) -> None: ...
    def object(self, key: int | _Id | Object, /) -> Object: ...
    def ray(self, origin: _Vector, direction: _Vector, /, *, limit: float = ..., mask: int = ...,
            ignore: Object | _Id | None = ..., as_object: Object | _Id | None = ...) -> Hit: ...
    def ray_many(self, origins: _Array, directions: _Array, /, *, limit: float = ..., tasks: TaskPool | None = ...,
                 **filter: Any) -> Array: ...
    def closest(self, point: _Vector, /, *, limit: float = ..., is_signed: bool = ..., mask: int = ...,
                ignore: Object | _Id | None = ..., as_object: Object | _Id | None = ...) -> Closest: ...
    def closest_many(self, points: _Array, /, *, limit: float = ..., is_signed: bool = ..., tasks: TaskPool | None = ...,
                     **filter: Any) -> Array: ...
    def distance(self, a: Object | _Id, b: Object | _Id, /, *, limit: float = ...) -> Distance: ...
    def cast_ball(self, origin: _Vector, travel: _Vector, radius: float, /, **filter: Any) -> Hit: ...
    def overlap(self, mesh: Mesh | None = ..., /, *, pose: _PoseLike = ..., box: Any = ..., center: _Vector = ...,
                end: _Vector = ..., radius: float = ..., **filter: Any) -> Array: ...
    def move(self, shape: _Shape, motion: Motion, /, *, may_others_move: bool = ..., margin: float = ...,
             tolerance: float = ..., capacity: int = ..., **filter: Any) -> Move: ...
    def slide(self, shape: _Shape, motion: Motion, /, *, gap: float = ..., max_rounds: int = ..., margin: float = ...,
              capacity: int = ..., **filter: Any) -> Slide: ...

class FacePair(tuple[Any, ...]):
    a: int
    b: int
    triangle_a: int
    triangle_b: int
    time: float
    flags: int

class Contact(tuple[Any, ...]):
    a: _Id | None
    b: _Id | None
    part_a: int
    part_b: int
    triangle_a: int
    triangle_b: int
    face_a: int | None
    face_b: int | None
    time: float
    time_sure: float | None
    time_end: float | None
    point: _Point
    normal: _Point
    distance: float | None
    approach: float | None
    feature: Literal["unknown", "vertex face", "face vertex", "edge edge"]
    sense: Literal["static", "continuous", "radar"]
    flags: int

class TouchInterval(tuple[Any, ...]):
    pair: int
    begin: float
    end: float

class ObjectPair(tuple[Any, ...]):
    a: int
    b: int
    relation: Literal["near", "touching", "crossing", "a inside", "b inside"]
    time_sure: float | None
    first: int
    count: int

class CollideStats(tuple[Any, ...]):
    object_pairs: int
    nodes: int
    candidates: int
    tested: int
    exact: int
    skipped: int
    ms_total: float

class Collision(tuple[Any, ...]):
    pairs: Array
    contacts: Array | None
    intervals: Array | None
    object_pairs: Array
    is_partial: bool
    free_time: float
    stats: CollideStats

class Collide(_Handle):
    closed: bool
    def __init__(self) -> None: ...
    def close(self) -> None: ...
    def static(self, space: Space, /, **options: Any) -> Collision: ...
    def continuous(self, space: Space, /, **options: Any) -> Collision: ...
    def static_pair(self, space: Space, a: Object | _Id, b: Object | _Id, /, **options: Any) -> Collision: ...
    def continuous_pair(self, space: Space, a: Object | _Id, b: Object | _Id, /, **options: Any) -> Collision: ...

class Hit(tuple[Any, ...]):
    object: _Id | None
    part: int
    triangle: int
    distance: float
    point: _Point
    normal: _Point

class Closest(tuple[Any, ...]):
    object: _Id | None
    part: int
    triangle: int
    distance: float
    point: _Point

class Distance(tuple[Any, ...]):
    distance: float
    on_a: _Point
    on_b: _Point
    triangle_a: int | None
    triangle_b: int | None

class Item(tuple[Any, ...]):
    object: _Id
    part: int
    triangle: int

class Move(tuple[Any, ...]):
    is_hit: bool
    free_time: float
    first: Contact | None
    contacts: Array
    has_more: bool

class Slide(tuple[Any, ...]):
    pose: Pose
    free_part: float
    rounds: int
    contacts: Array
    end: Literal["arrived", "held", "rounds", "inside", "stopped"]

class Clash(tuple[Any, ...]):
    a: int
    b: int
    kind: Literal["touching", "protrusion", "piercing", "enclosed", "duplicate", "clearance"]
    shared_count: int
    depth: float | None
    lines: list[Array]
    pairs: Array
    distance: float | None
    group: int

class Cell(tuple[Any, ...]):
    x: int
    y: int
    z: int
    level: int
    color: Literal["white", "black", "gray"]

class OctreeCounts(tuple[Any, ...]):
    white: int
    black: int
    gray: int
    black_voxels: int

class Octree(_Handle):
    closed: bool
    dimension: int
    depth: int
    min: _Point
    edge: float
    def __init__(self, *, dimension: int = ..., depth: int = ..., min: _Vector = ..., edge: float = ...) -> None: ...
    def close(self) -> None: ...
    @classmethod
    def from_code(cls, text: str, /, *, dimension: int = ..., depth: int = ..., min: _Vector = ..., edge: float = ...) -> Octree: ...
    @classmethod
    def from_mesh(cls, mesh: Mesh, /, *, pose: _PoseLike = ..., rule: Literal["center", "touch"] = ...,
                  is_surface_only: bool = ..., may_clip: bool = ..., depth: int = ..., min: _Vector = ...,
                  edge: float = ...) -> Octree: ...
    def count(self) -> OctreeCounts: ...
    def leaves(self, color: Literal["white", "black", "gray"] = ..., /) -> Array: ...
    def overlap(self, bounds: Any, /) -> Array: ...
    def at(self, point: _Vector, /) -> Literal["white", "black"]: ...
    def code(self) -> str: ...
    def interferes(self, other: Octree, /) -> bool: ...
    def add_points(self, points: _Array, /) -> None: ...
    def moved(self, *, travel: _Vector = ..., axis: _Vector = ..., angle: float = ...,
              rule: Literal["center", "overlap", "touch", "center closed"] = ..., tasks: TaskPool | None = ...) -> Octree: ...
    def __or__(self, other: Octree) -> Octree: ...
    def __and__(self, other: Octree) -> Octree: ...
    def __sub__(self, other: Octree) -> Octree: ...
    def __xor__(self, other: Octree) -> Octree: ...

class Sector:
    center: _Point
    axis: _Point
    bisector: _Point
    inner: float
    outer: float
    half_thickness: float
    half_angle: float
    def __init__(self, *, center: _Vector = ..., axis: _Vector = ..., bisector: _Vector = ..., inner: float = ...,
                 outer: float = ..., half_thickness: float = ..., half_angle: float = ...) -> None: ...
    @classmethod
    def of(cls, body: Mesh | _Array, /, *, point: _Vector = ..., axis: _Vector = ..., angle: float = ..., slide: float = ...,
           pose: _PoseLike = ..., radius: float = ...) -> Sector: ...
    def contains(self, point: _Vector, /) -> bool: ...
    def distance(self, point: _Vector, /) -> float: ...
    def closest(self, point: _Vector, /) -> _Point: ...
    def overlaps(self, body: Sector | _Array, radius: float = ...) -> bool: ...

class RadarResult(tuple[Any, ...]):
    is_hit: bool
    distance: float
    low: float
    high: float
    contact: Contact | None
    flags: int
    range: Array | None

class Sight(tuple[Any, ...]):
    object: _Id
    triangle: int
    distance: float
    point: _Point
    pixel: float
    pixels: int

class Radar(_Handle):
    closed: bool
    def __init__(self) -> None: ...
    def close(self) -> None: ...
    def move(self, space: Space, mover: Object | _Id, /, **options: Any) -> RadarResult: ...
    def turn(self, space: Space, mover: Object | _Id, /, **options: Any) -> RadarResult: ...
    def meet(self, space: Space, mover: Object | _Id, /, **options: Any) -> RadarResult: ...
    def travel(self, space: Space, mover: Object | _Id, /, **options: Any) -> RadarResult: ...
    def search(self, space: Space, eye: _Vector, direction: _Vector, /, **options: Any) -> Array: ...

class Path(tuple[Any, ...]):
    is_found: bool
    outcome: Literal["found", "not found", "none at resolution", "impossible"]
    is_checked: bool
    states: list[Pose]
    length: float
    turning: float
    clearance: float
    moves: int
    blocked: Contact | None
    is_partial: bool

class PathCheck(tuple[Any, ...]):
    is_valid: bool
    motion: int
    time: float
    is_outside_bounds: bool
    length: float
    turning: float

class SnapshotObject(tuple[Any, ...]):
    id: _Id
    pose: Pose
    flags: int
    hold: Literal["free", "held", "placed"]

class Touch(tuple[Any, ...]):
    a: _Id
    b: _Id
    id: int
    since: int
    relation: Literal["near", "touching", "crossing", "a inside", "b inside"]
    first: int
    count: int

class Event(tuple[Any, ...]):
    kind: str
    a: _Id | None
    b: _Id | None
    id: int
    tick: int
    time: float
    fraction: float
    value: float
    point: _Point
    name: str

class Snapshot(tuple[Any, ...]):
    tick: int
    time: float
    objects: Array
    pairs: Array
    contacts: Array | None
    step_pairs: Array
    free_time: float
    touches: Array
    events: Array
    is_partial: bool
    hash: int

class World(_Handle):
    closed: bool
    space: Space
    snapshot: Snapshot | None
    people: list[Person]
    time: float
    step: float
    def __init__(self, *, origin: _Vector = ..., step: float = ..., want: str = ..., sense: Literal["static", "continuous"] = ...,
                 margin: float = ..., budget: int = ...) -> None: ...
    def close(self) -> None: ...
    @classmethod
    def read(cls, path: _Path, /, *, sense: Literal["static", "continuous"] = ..., want: str = ..., objects: str = ...,
             progress: _Progress = ...) -> World: ...
    def tick(self, moves: Iterable[tuple[Object | _Id, Pose | Motion | _Vector]] = ..., /, *, tasks: TaskPool | None = ...,
             is_paused: bool = ..., progress: _Progress = ...) -> Snapshot: ...
    def drag(self, object: Object | _Id, pose: _PoseLike, /) -> None: ...
    def let_go(self, object: Object | _Id, /) -> None: ...
    def set_state(self, object: Object | _Id, name: str, value: float, /) -> None: ...
    def state(self, object: Object | _Id, name: str, /) -> float | None: ...
    def set_name(self, object: Object | _Id, name: str, /) -> None: ...
    def name(self, object: Object | _Id, /) -> str: ...
    def find(self, name: str, /) -> Object | None: ...
    def command(self, motion: str, parameters: dict[str, str] = ..., /, *, object: Object | _Id | None = ..., person: str = ...,
                point: _Vector = ..., goal: _Vector = ..., facing: float = ..., frames: int = ..., start: int = ...) -> int: ...
    def ended(self) -> list[CommandEnd]: ...
    def affords(self, object: Object | _Id, /) -> list[str]: ...
    def carry_out(self, path: _Path, /, *, max_ticks: int = ..., progress: _Progress = ...) -> list[ScriptResult]: ...

class Server(_Handle):
    closed: bool
    port: int
    def __init__(self, path: _Path, /, *, address: str = ..., port: int = ..., viewer_folder: str = ..., store: str = ...,
                 objects: str = ..., speed: float = ..., is_paused: bool = ..., is_always_ticking: bool = ...,
                 max_clients: int = ...) -> None: ...
    def close(self) -> None: ...
    def run(self) -> None: ...
    def stop(self) -> None: ...

class Person(tuple[Any, ...]):
    name: str
    object: _Id | None
    motion: str
    waiting: int
    head: _Point
    right_palm: _Point
    left_palm: _Point

class CommandEnd(tuple[Any, ...]):
    ticket: int
    is_done: bool
    reason: str

class ScriptResult(tuple[Any, ...]):
    step: int
    is_done: bool
    begin: int
    end: int
    reason: str

class Skeleton(_Handle):
    closed: bool
    names: list[str]
    parents: list[int | None]
    def __init__(self, *, stature: float = ..., mass: float = ..., head: float = ..., leg: float = ..., arm: float = ...,
                 shoulder_width: float = ..., hip_width: float = ..., foot: float = ...) -> None: ...
    def close(self) -> None: ...
    def rest(self) -> Array: ...

class Clip(_Handle):
    closed: bool
    name: str
    frame_rate: float
    duration: float
    frame_count: int
    link_count: int
    skeleton: Skeleton
    def close(self) -> None: ...
    @classmethod
    def read(cls, path: _Path, /, *, unit: float = ...) -> Clip: ...
    def poses(self, seconds: float, /) -> Array: ...
    def write(self, path: _Path, /) -> None: ...
