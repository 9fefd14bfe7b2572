"""The light loop: the one thread that owns the strip."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

from companion.game.board import Board
from companion.game.errors import Fault
from companion.table.ports import Health, Mood, Scene, Status, StillMoment
from hardware.encode import APA102_HZ, WS2812_HZ, apa102, plain, wled, ws2812
from hardware.frame import Painter, blended, lights_board, painter, posed
from hardware.lamps import LampTransport
from hardware.layout import Layout
from hardware.limits import Limits, limited
from hardware.meanings import BLACK, Frame, animates
from hardware.reasons import because
from hardware.settings import Driver, LightSettings, wled_address
from hardware.transport import PART, SimulatedTransport, SpiTransport, Transport
from hardware.wled import REFRESH_S as WLED_REFRESH_S
from hardware.wled import TIMEOUT_S, WledTransport

FRAME_S: Final = 1 / 30
REFRESH_S: Final = 1.0  # a strip plugged in again shows the frame within this
# Scenes change at most this often, so that no run of commands can make the lights flash:
# two changes are one flash, and 0.4 s a flash is 2.5 in a second.
SCENE_S: Final = 0.2
# A still moment for the camera, the ramps before and after it, and how often there is one at most.
POSE_S: Final = 0.3
RAMP_S: Final = 0.12
POSE_EVERY_S: Final = 5.0
RETRY_S: Final = 1.0
RETRY_CAP_S: Final = 60.0
STOP_S: Final = 3.0  # a device that hangs is left to the end of the process

_CRASHED: Final = "fault.lights.crashed"

OpenTransport = Callable[[], Transport]

_log = logging.getLogger(__name__)


class Strip:
    """A strip with its driver: frames in, bytes out, and never an exception.

    When the driver fails the strip is closed and tried again with a back-off of 1 s, doubled up
    to a minute; a permanent fault is not tried again. Meanwhile frames go nowhere.
    """

    def __init__(self, settings: LightSettings, open_transport: OpenTransport) -> None:
        self._settings = settings
        self._open = open_transport
        self._transport: Transport | None = None
        self._fault: Fault | None = None
        self._retry_at = 0.0
        self._pause = RETRY_S
        self.limits = settings.limits

    @property
    def simulated(self) -> bool:
        """Whether nothing is lit but what a page draws."""
        return self._settings.driver is Driver.SIMULATED

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the driver now, if anything."""
        return self._fault

    def send(self, frame: Frame, now: float) -> None:
        """Show ``frame``; ``now`` in seconds decides whether a failed driver is tried again."""
        fault = self._fault
        if fault is not None and (not fault.temporary or now < self._retry_at):
            return
        try:
            if self._transport is None:
                self._transport = self._open()
            self._transport.send(encoded(frame, self._settings, self.limits))
        except Fault as error:
            self._failed(error, now)
        except Exception as error:  # a driver's own bug is a fault like any other
            fault = self._lost(error)
            _log.exception("%s", fault)
            self._failed(fault, now)
        else:
            self._fault, self._pause = None, RETRY_S

    def close(self) -> None:
        """Dark, and the device released."""
        if self._transport is None:
            return
        try:
            dark = (BLACK,) * self._settings.count
            self._transport.send(encoded(dark, self._settings, self.limits))
        except Fault as error:
            self._fault = error
        except Exception as error:
            _log.exception("%s", self._lost(error))
        finally:
            self._release()

    def _failed(self, error: Fault, now: float) -> None:
        if self._fault is None or self._fault.code != error.code:
            _log.warning("%s", error)
        self._fault = error
        self._retry_at = now + self._pause
        self._pause = min(2 * self._pause, RETRY_CAP_S)
        self._release()

    def _lost(self, error: Exception) -> Fault:
        params = {"device": self._settings.driver.value, **because(error)}
        return Fault(PART, "lights.lost", params)

    def _release(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.close()


@dataclass(frozen=True, slots=True)
class Lit:
    """What is shown: the frame, in screen colours, and what it was painted for."""

    board: Board
    layout: Layout
    frame: Frame
    scene: Scene | None


class LightLoop:
    """Shows scenes on a strip from its own thread: 30 frames a second while something moves.

    `show` may be called from any thread and returns at once; the newest scene wins. A driver
    that fails leaves the loop running, with `frame` as the stand-in that a page draws.

    >>> with LightLoop(LightSettings(), board) as lights:          # doctest: +SKIP
    ...     lights.show(Scene(Mood.PLAYER, pointer=("011",)))
    """

    def __init__(
        self,
        settings: LightSettings,
        board: Board,
        *,
        open_transport: OpenTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._strip = Strip(settings, open_transport or opener(settings))
        self._painter, self._lit = self._blank(board)
        self._changed = threading.Condition()
        self._woken = False
        self._next: Scene | None = None
        self._scene_at = float("-inf")
        self._due = float("-inf")
        self._status = Status.STARTING
        self._refresh = WLED_REFRESH_S if settings.driver is Driver.WLED else REFRESH_S
        self._moving = False
        self._pose: StillMoment | None = None
        self._reading = False  # the moment is one of reading light
        self._crashed = False
        self._stopping = False
        self._thread: threading.Thread | None = None

    def show(self, scene: Scene) -> None:
        """Show ``scene`` from now on."""
        with self._changed:
            self._next = replace(scene, calm=True) if self._settings.calm else scene
            self._wake()

    def use(self, board: Board) -> None:
        """Draw on another board from the next scene on; dark until it comes."""
        with self._changed:
            self._painter, self._lit = self._blank(board)
            self._next, self._moving, self._due = None, False, float("-inf")
            self._wake()

    def dial(self, *, brightness: float, night: float, calm: bool = False) -> None:
        """Turn the brightness and the night dial, both 0-1. Raises BadInput outside that.

        ``calm`` counts from the next scene on.
        """
        chosen = replace(self._settings, brightness=brightness, night=night, calm=calm)
        with self._changed:
            self._settings, self._strip.limits = chosen, chosen.limits
            self._painter = self._painting(self._lit.board, self._lit.layout)
            self._due = float("-inf")
            self._wake()

    def pose(self, *, light: bool = False) -> StillMoment | None:
        """Hold still for a picture of the board, in a moment; None: there is no such moment.

        None when nothing moves, when there is no strip to hold (the calm preset moves nothing),
        outside a game, and sooner than 5 s after the moment before. ``light``: light the board
        too, also when nothing moves; None from lamps and in the calm preset.
        """
        with self._changed:
            now, scene, before = self._clock(), self._lit.scene, self._pose
            if scene is None or scene.mood not in (Mood.PLAYER, Mood.EVENT):
                return None
            if light and (scene.calm or not lights_board(self._lit.layout)):
                return None
            if not light and not self._moving:
                return None
            if self._settings.driver is Driver.SIMULATED or self._strip.fault is not None:
                return None
            if before is not None and now < before.begin - RAMP_S + POSE_EVERY_S:
                return None
            begin, end = now + RAMP_S, now + RAMP_S + POSE_S
            self._pose, self._reading = StillMoment(begin, end, end + RAMP_S), light
            if light:
                self._due = now  # nothing else may have a frame due before it is over
            self._wake()
            return self._pose

    def frame(self) -> Frame:
        """The last frame, in screen colours before the limits; dark before the first scene."""
        return self._lit.frame

    def lit(self) -> Lit:
        """The last frame with the board, layout and scene it was painted for."""
        return self._lit

    def health(self) -> Health:
        """How the lights fare; a fault's message is ``code``."""
        fault = self._strip.fault
        if self._status is not Status.READY:
            return Health(PART, self._status)
        if self._crashed or self._thread is None or not self._thread.is_alive():
            return Health(PART, Status.FAILED, _CRASHED)
        if fault is not None:
            return Health.of(PART, fault)
        simulated = self._settings.driver is Driver.SIMULATED
        return Health(PART, Status.SIMULATED if simulated else Status.READY)

    def start(self) -> None:
        """Begin to show; the device is opened by the thread, so this never fails."""
        self._stopping = False
        self._status = Status.READY
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Dark, device released, thread ended. More than once does no harm."""
        with self._changed:
            self._stopping = True
            self._wake()
        if self._thread is not None:
            self._thread.join(STOP_S)
            self._thread = None
        self._status = Status.OFF

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def step(self, now: float) -> float:
        """Do what is due at ``now`` (seconds); the seconds until something is due again.

        The thread calls nothing else, so a test may be its clock.
        """
        with self._changed:
            self._woken = False
            wait = self._scene_at + SCENE_S - now
            pose = self._pose if self._pose is not None and now < self._pose.over else None
            if pose is not None:  # the next scene waits until the picture is taken
                wait = max(wait, pose.over - now)
            if self._next is not None and wait <= 0.0:
                self._lit = replace(self._lit, scene=self._next)
                self._moving = animates(self._next)
                self._next, self._scene_at, self._due, self._crashed = None, now, now, False
            lit, paint, due = self._lit, self._painter, now >= self._due
            if due:
                moves = self._moving or pose is not None
                pace = FRAME_S if moves and not self._crashed else self._refresh
                # On the beat, not a pace after each frame; a late loop begins a new beat.
                self._due = self._due + pace if now < self._due + pace else now + pace
            pending = wait if self._next is not None else self._refresh
        if due:  # outside the lock: a device that hangs must not hold up `show`
            frame = self._painted(paint, lit.scene, now)
            self._strip.send(self._posing(paint, lit, frame, pose, now), now)
            with self._changed:
                if self._lit.layout is lit.layout:
                    self._lit = replace(self._lit, frame=frame)
        return max(0.0, min(self._due - now, pending))

    def _painted(self, paint: Painter, scene: Scene | None, now: float) -> Frame:
        if scene is not None:
            try:
                return paint.frame(scene, now)
            except Exception:  # a scene that cannot be drawn must not end the lights
                if not self._crashed:
                    _log.exception(_CRASHED)
                self._crashed = True
        return (BLACK,) * paint.count

    def _posing(
        self, paint: Painter, lit: Lit, frame: Frame, pose: StillMoment | None, now: float
    ) -> Frame:
        """What the strip shows instead of ``frame`` while the camera looks; a page goes on."""
        if pose is None or lit.scene is None:
            return frame
        painted = self._painted(paint, lit.scene, pose.begin)
        night = self._settings.night
        still = posed(lit.layout, lit.scene, painted, light=self._reading, night=night)
        into, out = 1 - (pose.begin - now) / RAMP_S, (pose.over - now) / RAMP_S
        return blended(frame, still, min(max(min(into, out), 0.0), 1.0))

    def _run(self) -> None:
        try:
            while not self._stopping:
                pause = self.step(self._clock())
                with self._changed:
                    self._changed.wait_for(lambda: self._woken, pause)
        finally:
            self._lit = replace(self._lit, frame=(BLACK,) * self._painter.count)
            self._strip.close()

    def _wake(self) -> None:
        self._woken = True
        self._changed.notify()

    def _blank(self, board: Board) -> tuple[Painter, Lit]:
        layout = self._settings.layout(board)
        made = self._painting(board, layout)
        return made, Lit(board, layout, (BLACK,) * made.count, None)

    def _painting(self, board: Board, layout: Layout) -> Painter:
        chosen = self._settings
        return painter(board, layout, seat_one=chosen.seat_one, night=chosen.night)


def encoded(frame: Frame, settings: LightSettings, limits: Limits) -> bytes:
    """The bytes of ``frame`` for the strip of ``settings``, within ``limits``."""
    duty = limited(frame, limits)
    match settings.driver:
        case Driver.WS2812:
            return ws2812(duty, order=settings.order or "grb")
        case Driver.WLED:
            return wled(duty, timeout_s=TIMEOUT_S)
        case Driver.LAMPS:
            return plain(duty)
    return apa102(duty, order=settings.order or "bgr")


def opener(settings: LightSettings) -> OpenTransport:
    """What opens the device of ``settings``; opening raises Fault."""
    match settings.driver:
        case Driver.SIMULATED:
            return SimulatedTransport
        case Driver.WLED:
            return lambda: WledTransport(*wled_address(settings.wled), pixels=settings.pixels)
        case Driver.LAMPS:
            return lambda: LampTransport(tuple(settings.lamps.values()))
    hz = WS2812_HZ if settings.driver is Driver.WS2812 else APA102_HZ
    return lambda: SpiTransport(settings.spi_bus, settings.spi_device, hz)


def off(settings: LightSettings, *, open_transport: OpenTransport | None = None) -> None:
    """Darken the strip and release it, whatever a program before left on. Raises Fault."""
    transport = (open_transport or opener(settings))()
    try:
        transport.send(encoded((BLACK,) * settings.count, settings, settings.limits))
    finally:
        transport.close()
