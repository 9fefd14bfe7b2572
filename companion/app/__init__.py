"""The program that joins the parts: one process, each device with its one owner.

`App` opens the data folder, the newest game, lights, camera, buttons and the panel, connects them
through the session, and lets them go again. A part that fails is reported and retried; the game
goes on.
"""

from __future__ import annotations

import logging
import secrets
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from companion.app.addresses import addresses
from companion.app.buttons import Keeper, Presses
from companion.app.cameras import Eye
from companion.app.commandcards import CommandCards
from companion.app.curtain import Curtain
from companion.app.dial import Dial, Wish
from companion.app.lightcourse import LightCourse, strip_of
from companion.app.profile import Profile
from companion.config import Config
from companion.game import CompanionError, Fault
from companion.library import load_content
from companion.library.model import Content
from companion.service import Notifier
from companion.table.archive import Recovery, backup
from companion.table.folder import DataFolder
from companion.table.games import new_game, resume_or_new
from companion.table.group import Group
from companion.table.lock import Lock
from companion.table.ports import Health, Sighting, Status, StillMoment
from companion.table.scene import scene
from companion.table.session import Session
from companion.table.sounds import CUES, Ear
from companion.table.table import Table
from hardware import Driver, LightLoop, LightSettings, Speaker, Strip, picture, wav
from web import Server, Services, create_app
from web.services import Finding

BEAT_S = 5.0
READING_S = 20.0  # between two moments of reading light while nothing is to be moved
ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)  # the last: the terminal is gone
COPY_S = 10.0  # a stop waits so long for a backup that is being made

_log = logging.getLogger(__name__)


class App:
    """The running companion.

    ``simulate``: no device is looked for. ``off_pi``: but what needs no Pi (WLED, sound, a camera
    that is no Pi's) is used where the configuration names it, as on a laptop.
    """

    def __init__(
        self,
        config: Config,
        folder: DataFolder,
        *,
        simulate: bool,
        off_pi: bool = False,
        doctor: Callable[[], Sequence[Finding]] = tuple,
    ) -> None:
        self._doctor = doctor
        self.config = config
        self.folder = folder
        self.simulate = simulate
        self._off_pi = off_pi
        self.host_code = f"{secrets.randbelow(10**6):06d}"
        self.content: Content | None = None
        self.session: Session | None = None
        self.server: Server | None = None
        self._lock: Lock | None = None
        self._lights: LightLoop | None = None
        self._dial: Dial | None = None
        self._curtain = Curtain(self._reveal)
        self._revealed: Mapping[str, Any] | None = None  # the view that the lights show
        self._ear: Callable[[Mapping[str, Any]], None] | None = None
        self._course: LightCourse | None = None
        self._resumed: tuple[str, dict[str, str]] | None = None  # of a game of other rules
        self.recovery: Recovery | None = None  # a damaged game was found and put aside
        self._eye: Eye | None = None
        self._presses: Presses | None = None
        self._cards: CommandCards | None = None
        self._buttons: Keeper | None = None
        self._speaker: Speaker | None = None
        self._copied = (0, False)
        self._copying: threading.Thread | None = None  # the newest backup, while it is made
        self._lit_at = float("-inf")  # when the lights lit the board for the camera
        self._stop = threading.Event()
        self.ended = False  # a signal came that ends the program: `run` does not begin
        self._notifier = Notifier()

    # Start and stop -----------------------------------------------------------------------------

    def start(self) -> None:
        """Open everything. Raises Fault or BadInput when the game itself cannot run."""
        self.folder.create()
        self._lock = Lock(self.folder.root, f"{self.config.web.host}:{self.config.web.port}")
        self._lock.acquire()
        try:
            self.content = load_content(
                sorted(p for p in self.folder.packs.glob("*") if p.is_dir())
            )
            table, self.recovery = resume_or_new(self.folder, self.content, simulated=self.simulate)
            self._resumed = table.resumed
            self.session = Session(
                table, health=self.health, fresh=self._fresh, quiet=self.config.camera.quiet_s
            )
            self.session.start()
            self._presses = Presses(
                self.session,
                self.config.buttons.glass_s,
                changed=self._look,
                dim=self._dim,
                switch=self._switch,
                lights=self._wanted,
            )
            self._cards = CommandCards(self._presses)
            self._start_lights(self.session)
            eye = self._start_camera(self.session)
            self._start_buttons(self._presses)
            self._start_sound(self.session)
            self._start_panel(self.session)
            eye.start()  # what it reads with takes seconds to load: the pages come first
            self._copied = _how_far(self.session.view("table")[1])
            self.session.watch(self._keep_copy)
        except BaseException:
            self.stop()
            raise
        self._notifier.ready("ready")

    def _fresh(self, learnt: Mapping[str, Any]) -> Table:
        """A new game, for when the last one is over; it knows the cards ``learnt`` before."""
        assert self.content
        return new_game(self.folder, self.content, simulated=self.simulate, learnt=learnt)

    def stop(self) -> None:
        """Lights dark, devices released, the journal closed. Never raises; twice is once."""
        self._stop.set()
        self._notifier.stopping()
        if self._course is not None:
            with suppress(Exception):
                self._course.cancel()
        if self.session is not None:
            with suppress(Exception):
                self.session.beat()  # what the last command set off has begun
        if self._copying is not None:  # while it reads, the file's log cannot be closed
            self._copying.join(COPY_S)
        parts = (
            *(self.server, self._buttons, self._presses, self._speaker),
            *(self._eye, self._lights, self.session),
        )
        for part in parts:
            if part is not None:
                with suppress(Exception):
                    part.stop()
        if self._dial is not None:
            with suppress(Exception):
                self._dial.keep()
        if self.session is not None and self.server is not None:
            with suppress(Exception):
                view = self.session.view("table")[1]
                if view["game"]["id"] and view["game"]["status"] != "lobby":
                    self._back_up(self.folder.game(view["game"]["id"]))
        if self._lock is not None:
            with suppress(Exception):
                self._lock.close()
        self.server = self._eye = self._lights = None
        self._buttons = self._presses = self._lock = None

    def run(self) -> None:
        """Until a signal that ends it; the watchdog is fed by a round trip through the writer."""
        # A handler runs wherever this thread is, also inside the event's own lock: another sets it.
        ends_by_signal(lambda *_: threading.Thread(target=self._stop.set, name="end").start())
        interval = min(self._notifier.interval or BEAT_S, BEAT_S)
        while not self.ended and not self._stop.wait(interval):
            try:
                assert self.session
                self.session.beat()
                self._notifier.alive()
            except Fault as problem:
                _log.error("%s", problem)
        self.stop()

    # Parts --------------------------------------------------------------------------------------

    def health(self) -> list[Health]:
        """How every part fares, for `/health`, the host and the doctor."""
        found = [self._lights.health()] if self._lights else []
        if self._course is not None and (who := self._course.who) is not None:
            found = [Health("lights", Status.OFF, "ui.lights.taken", {"who": who})]
        if self.recovery is not None:  # the host reads it on the page
            said = self.recovery
            found.append(Health("journal", Status.DEGRADED, said.key, said.params))
        elif self._resumed is not None:
            key, params = self._resumed
            status = Status.DEGRADED if key == "resumed.left" else Status.READY
            found.append(Health("journal", status, key, params))
        if self._eye is not None:
            found.append(self._eye.health())
        if self._buttons is not None:
            found.append(self._buttons.health())
        if self._speaker is not None:
            found.append(self._speaker.health())
        return found

    def _board(self, view: Mapping[str, Any] | None = None) -> Any:
        assert self.content
        return self.content.board((view or {}).get("game", {}).get("board"))

    def _start_lights(self, session: Session) -> None:
        self._dial = Dial(self.folder, wish_of(self.config.lights))
        self._light(self.config.lights)
        self._course = LightCourse(
            self._board(),
            self.folder,
            pause=self._lights_away,
            resume=self._lights_back,
            opened=self._strip,
        )
        session.watch(self._curtain.follow)

    def _reveal(self, view: Mapping[str, Any]) -> None:
        """What everybody at the table sees and hears."""
        self._follow(view)
        if self._ear is not None:
            self._ear(view)

    def _strip(self, settings: LightSettings) -> Strip:
        """The strip while it is set up; none is looked for in a simulation."""
        return strip_of(settings if self._drives(settings) else settings.on_screen())

    def _drives(self, settings: LightSettings) -> bool:
        """Whether there may be such lights here."""
        driver = settings.driver
        return not self.simulate or (self._off_pi and driver is Driver.WLED)

    def _pretends_camera(self) -> bool:
        """Whether the simulated table stands in for the camera."""
        if self.simulate and not self._off_pi:
            return True
        return self.config.camera.simulated(pi=not self.simulate)

    def _light(self, settings: LightSettings) -> None:
        if self._dial is not None:
            settings = replace(settings, **asdict(self._dial.wish))
        if settings.driver is Driver.SIMULATED or not self._drives(settings):
            settings = settings.on_screen()
        self._lights = LightLoop(settings, self._board())
        self._lights.start()

    def _follow(self, view: Mapping[str, Any]) -> None:
        """The scene of the table's view, on whatever shows it now."""
        self._revealed = view
        lights = self._lights
        if lights is not None:
            board = self._board(view)
            if board.id != lights.lit().board.id:
                lights.use(board)
            presses = self._presses
            pause, glass = (presses.pause, presses.glass) if presses else (False, None)
            point = presses.pointed if presses else ()
            lights.show(scene(view, board, pause=pause, glass=glass, point=point))

    def _look(self) -> None:
        """Show the table again as it was shown last: something beside the game has changed.

        Not the newest view: its card may still lie face down.
        """
        if self.session is not None:
            self._follow(self._revealed or self.session.view("table")[1])

    def _lights_away(self) -> None:
        """The strip is somebody else's for a while."""
        lights, self._lights = self._lights, None
        if lights is not None:
            lights.stop()

    def _lights_back(self, settings: LightSettings | None) -> None:
        """The game's lights again, as they are configured now."""
        if self._stop.is_set():
            return
        if settings is not None:
            self.config = replace(self.config, lights=settings)
            if self._dial is not None:
                self._dial.configure(wish_of(settings))
        self._light(self.config.lights)
        self._look()

    def strip(self) -> str | None:
        """The lit table as SVG text, for the panel; empty before anything is lit."""
        if self._lights is None:
            return None
        lit = self._lights.lit()
        if lit.scene is None:
            return ""
        return picture(lit.board, lit.scene, lit.frame, lit.layout)

    def _start_camera(self, session: Session) -> Eye:
        assert self.content
        self._eye = eye = Eye(
            self.content,
            self.config.camera,
            self._seen,
            simulate=self._pretends_camera(),
            pose=self._hold_still,
            light=self._light_board,
            profile=Profile(self.folder),
        )
        session.watch(eye.follow)
        return eye

    def _light_board(self) -> StillMoment | None:
        """A moment in which the lights light a dark board for the camera.

        As `_hold_still`; while nobody is told to move anything only every `READING_S`.
        """
        session, now = self.session, time.monotonic()
        idle = session is not None and not session.view("table")[1]["instructions"]
        if idle and now - self._lit_at < READING_S:
            return None
        moment = self._hold_still(light=True)
        if moment is not None:
            self._lit_at = now
        return moment

    def _hold_still(self, *, light: bool = False) -> StillMoment | None:
        """A moment in which the lights hold still for the camera, between two steps.

        In the event phase only while an instruction is open: otherwise nobody moves anything.
        """
        lights, session = self._lights, self.session
        if lights is None or session is None:
            return None
        if self._presses is not None and self._presses.pause:
            return None
        view = session.view("table")[1]
        if view["prompts"] or view["waiting"]:
            return None
        if view["phase"] == "event" and not view["instructions"]:
            return None
        return lights.pose(light=light)

    def _seen(self, sighting: Sighting) -> None:
        if self.session is not None:
            try:
                self.session.see(sighting)
                if self._cards is not None:
                    self._cards.see(sighting)
            except CompanionError as problem:
                _log.warning("cli.note.no_sighting", {"problem": problem})

    def _keep_copy(self, view: Mapping[str, Any]) -> None:
        """A backup of the game at every new round and at its end, beside the writer."""
        now = _how_far(view)
        if now <= self._copied or not view["game"]["id"]:
            self._copied = min(self._copied, now)
            return
        self._copied = now
        path = self.folder.game(view["game"]["id"])
        copying = threading.Thread(target=self._back_up, args=(path,), name="backup", daemon=True)
        copying.start()
        self._copying = copying  # once it runs: who stops the program waits for it

    def _back_up(self, path: Path) -> None:
        try:
            backup(path, self.folder.backups)
        except CompanionError as problem:
            _log.warning("cli.note.no_backup", {"problem": problem})

    def _start_buttons(self, presses: Presses) -> None:
        settings = self.config.buttons
        if self.simulate or not (settings.pins or settings.knob):
            return
        self._buttons = Keeper(settings, presses.press)
        self._buttons.start()

    def _dim(self, step: float) -> None:
        """The lights brighter or darker by ``step``, also after the next start."""
        if self._dial is not None:
            self._dial.turn(step)
            self._redial()

    def _switch(self, name: str) -> None:
        """``night``: deep night or day; ``calm``: nothing moves, or it does again."""
        if self._dial is not None:
            self._dial.switch(name)
            self._redial()

    def _redial(self) -> None:
        lights, dial = self._lights, self._dial
        if lights is not None and dial is not None:
            lights.dial(**asdict(dial.wish))
            self._look()

    def _wanted(self) -> Mapping[str, Any] | None:
        """How the lights are wanted now."""
        return None if self._dial is None else asdict(self._dial.wish)

    def _start_sound(self, session: Session) -> None:
        if not self.config.sound.cues or (self.simulate and not self._off_pi):
            return
        speaker = self._speaker = Speaker(self.config.sound)
        ear = Ear()
        ear.hear(session.view("table")[1])  # what was said before is not said again

        def follow(view: Mapping[str, Any]) -> None:
            if (cue := ear.hear(view)) is not None:
                speaker.cue(cue)

        speaker.start()
        self._ear = follow

    def _start_panel(self, session: Session) -> None:
        web = self.config.web
        group = Group(self.folder)
        session.watch(group.follow)
        services = Services(
            health=self.health,
            addresses=lambda: addresses(web.host),
            simulator=self._eye.page if self._eye else None,
            camera=self._eye.setup if self._eye else None,
            strip=self.strip,
            lit=lambda: self._lights is not None,
            host_code=self.host_code,
            doctor=self._doctor,
            group=group,
            light_setup=self._course,
            presses=self._presses,
            curtain=self._curtain,
            cue=lambda name: wav(name) if name in CUES else None,
            wifi=(web.wifi_name, web.wifi_password) if web.wifi_name else None,
        )
        self.server = Server(create_app(session, services), web.host, web.port)
        self.server.start()
        if self._lock is not None:
            self._lock.answers_at(self.url())

    def url(self) -> str:
        """The address to show people."""
        found = addresses(self.config.web.host)
        port = self.server.port if self.server else self.config.web.port
        return f"http://{found[0]}:{port}/"


def ends_by_signal(end: Callable[[int, Any], None]) -> None:
    """Let ``end`` be called by what ends a program; a hang-up that is ignored (nohup) stays so."""
    for number in ENDS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


def wish_of(lights: LightSettings) -> Wish:
    """How the configuration wants the lights."""
    return Wish(lights.brightness, lights.night, lights.calm)


def _how_far(view: Mapping[str, Any]) -> tuple[int, bool]:
    """What a new backup is made for: the round, and whether the game is over."""
    return view["round"], view["game"]["status"] == "over"
