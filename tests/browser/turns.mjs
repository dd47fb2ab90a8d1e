// What the others did, and how it ended, in a real browser: every step of a turn is shown one after the other, the last turn is marked
// until the viewer's next step, and the end says who did what; how it sounds, and how it is played by keys.
//   node turns.mjs PARLOR [CASE]...
import {
    againstBot,
    check,
    checkNoMistakes,
    openBrowser,
    openTable,
    openWindow,
    playOn,
    randomFrom,
    runCases,
    Server,
} from './kit.mjs';

const STEP_MS_MIN = 390; // between two steps, of 400; timers may come a little early, never late
const MARKS = {
    'paper-soccer': ['from'],
    santorini: ['from', 'to', 'built'],
    'treasure-hunt': ['to'],
    eriantys: ['from', 'to', 'taken'],
    renaissance: ['taken'],
};
const server = await Server.start(process.argv[2]);
const browser = await openBrowser();
const games = (await server.api('/games')).json.games;

const moving = { reducedMotion: 'no-preference' };
/** In the page: notes every version that the board shows from now on, with the time. */
function watchVersions() {
    const drawing = document.querySelector('.drawing');
    window.shown = [];
    window.observer?.disconnect();
    window.observer = new MutationObserver(() =>
        window.shown.push([Number(drawing.dataset.version), performance.now()]),
    );
    window.observer.observe(drawing, { attributes: true, attributeFilter: ['data-version'] });
}

/** Sends legal actions of this seat through the API, until others have to act. */
async function actByApi(code, token) {
    for (;;) {
        const { json: table } = await server.api(`/tables/${code}`, undefined, token);
        if (table.over || !table.turn.includes(table.seat)) return table;
        const [text] = table.legal.length > 0 ? table.legal : table.legal_samples;
        const answer = await server.api(
            `/tables/${code}/actions`,
            { version: table.version, actions: [text] },
            token,
        );
        check(answer.status < 300, `${text}: ${JSON.stringify(answer.json)}`);
    }
}

/** What a seat did, each with the version after it and after what chance did then. */
async function stepsOf(code, token, seat) {
    const steps = [];
    for (let from = 1; from !== null; ) {
        const { json } = await server.api(`/tables/${code}/journal?from=${from}`, undefined, token);
        for (const event of json.events) {
            if (event.kind === 'action') steps.push({ seat: event.seat, version: event.version, actions: event.actions });
            else if (steps.length > 0) steps[steps.length - 1].version = event.version;
        }
        from = json.next;
    }
    return steps.filter((step) => step.seat === seat);
}

/** Two people, one of them a program that does five things within a moment: the window of the other shows them one by one. */
async function stepByStep() {
    const page = await openWindow(browser, { ...moving, viewport: { width: 1280, height: 860 } }); // which has all marks in sight at once
    const mine = await openTable(server, page, {
        game: 'eriantys',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
    });
    const { json: other } = await server.api(`/tables/${mine.code}/seats`, { name: 'Bob', seat: 1 });
    await page.waitForSelector('.turn.mine');
    const act = async (token, actions) => {
        const { json: table } = await server.api(`/tables/${mine.code}`, undefined, token);
        const sent = actions.length > 0 ? actions : [table.legal[0]];
        const answer = await server.api(
            `/tables/${mine.code}/actions`,
            { version: table.version, actions: sent },
            token,
        );
        check(answer.status < 300, `${sent}: ${JSON.stringify(answer.json)}`);
    };
    await act(mine.token, ['assistant 9']);
    await act(other.token, ['assistant 1']);
    await page.waitForFunction(() => document.querySelector('.seats .on-turn')?.dataset.seat === '1');
    await page.waitForFunction(() => !document.querySelector('.again')?.textContent.includes('Skip'));
    const { json: table } = await server.api(`/tables/${mine.code}`, undefined, other.token);
    const students = Object.entries(table.view.seats[1].entrance).flatMap(([color, count]) => Array(count).fill(color));
    await page.evaluate(watchVersions);
    for (const color of students.slice(0, 3)) await act(other.token, [`student ${color} dining`]);
    await act(other.token, []); // Mother Nature
    await act(other.token, []); // a cloud
    await settled(page, mine.code, mine.token);
    const shown = await page.evaluate(() => window.shown);
    const steps = (await stepsOf(mine.code, mine.token, 1)).slice(-5).map((step) => step.version);
    const versions = shown.map(([version]) => version);
    check(versions.join() === steps.join(), `shown were ${versions}, done were ${steps}`);
    for (let i = 1; i < shown.length; i++)
        check(shown[i][1] - shown[i - 1][1] >= STEP_MS_MIN, `${versions[i]} came after ${shown[i][1] - shown[i - 1][1]} ms`);
    check((await page.$$('.school:not(.own) [data-mark="to"]')).length === 3, 'the three students are not marked');
    check((await page.$('.archipelago [data-mark="from"]')) !== null, 'it is not marked where Mother Nature came from');
    check((await page.$('.cloud [data-mark="taken"]')) !== null, 'the cloud is not marked');
    await showAgain(page, steps);
    await markedUntilNextStep(page);
    checkNoMistakes(page);
    await page.context().close();
}

/** Once more, and a click on the board leads to the end of it. */
async function showAgain(page, steps) {
    await page.evaluate(watchVersions);
    await page.click('.turn-bar button >> text=Show again');
    await page.waitForSelector('.turn-bar button >> text=Skip');
    check((await page.$('.drawing [role=button]')) === null, 'something can be chosen in an old position');
    await page.waitForSelector('.turn.mine');
    const versions = (await page.evaluate(() => window.shown)).map(([version]) => version);
    check(versions.join().endsWith(steps.join()), `shown again were ${versions}, done were ${steps}`);
    await page.click('.turn-bar button >> text=Show again');
    await page.waitForSelector('.turn-bar button >> text=Skip');
    await page.click('.drawing', { position: { x: 5, y: 5 } });
    await page.waitForSelector('.turn.mine');
    check(
        Number(await page.getAttribute('.drawing', 'data-version')) === steps[steps.length - 1],
        'a click has not led to the newest position',
    );
}

/** The marks of the others' turn go with the first step of one's own. */
async function markedUntilNextStep(page) {
    await page.click('.school.own [data-student]');
    await page.click('.school.own [data-actions]');
    await page.waitForSelector('.steps, .turn:not(.mine)');
    check((await page.$('.drawing [data-mark]')) === null, 'the last turn is still marked after a step');
}

/** Waits until it is this seat's turn, or all is over, and the window shows that with everything that is marked; returns the table. */
async function settled(page, code, token) {
    for (;;) {
        const { json: table } = await server.api(`/tables/${code}`, undefined, token);
        const isLast = table.over || table.turn.includes(table.seat);
        await page.waitForFunction(
            ([version, isLast]) => {
                const drawing = document.querySelector('.drawing');
                if (Number(drawing?.dataset.version) < version + (isLast ? 0 : 1)) return false;
                const isStill = document.querySelector('.turn.mine, .outcome') !== null;
                return !isLast || (isStill && drawing.dataset.since !== undefined);
            },
            [table.version, isLast],
        );
        if (isLast) return table;
    }
}

/** Each game, against a bot: after its turn what it did is marked, and stays so after a reload. */
async function marked(game, width) {
    const page = await openWindow(browser, { ...moving, viewport: { width, height: 860 } });
    const { code, token } = await openTable(server, page, againstBot(game));
    const missing = new Set(MARKS[game] ?? []);
    for (let turn = 0; turn < 12 && missing.size > 0; turn++) {
        await actByApi(code, token);
        const table = await settled(page, code, token);
        if (table.over) break;
        for (const mark of [...missing]) if ((await page.$(`.drawing [data-mark="${mark}"]`)) !== null) missing.delete(mark);
    }
    check(missing.size === 0, `never marked: ${[...missing]}`);
    await page.reload();
    await page.waitForSelector('.drawing [data-mark]');
    checkNoMistakes(page);
    await page.context().close();
}

/** Whoever wants less motion sees the newest position at once, and nothing slides. */
async function lessMotion() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, againstBot('santorini'));
    await page.evaluate(watchVersions);
    await page.evaluate(() => {
        window.slides = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...args) {
            window.slides++;
            return animate.apply(this, args);
        };
    });
    await actByApi(code, token); // the first builders
    await page.waitForSelector('.turn.mine');
    await actByApi(code, token);
    await page.waitForFunction(() => document.querySelectorAll('.drawing .block').length > 1);
    check((await page.evaluate(() => window.slides)) === 0, 'something slides');
    check((await page.$('.turn-bar button >> text=Skip')) === null, 'steps are played');
    checkNoMistakes(page);
    await page.context().close();
}

/** A builder slides from field to field. */
async function piecesSlide() {
    const page = await openWindow(browser, moving);
    const { code, token } = await openTable(server, page, againstBot('santorini'));
    await page.evaluate(() => {
        window.slid = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            window.slid.push([this.getAttribute('data-slide'), options.duration]);
            return animate.call(this, frames, options);
        };
    });
    for (let turn = 0; turn < 3; turn++) {
        await actByApi(code, token);
        await settled(page, code, token);
    }
    await page.waitForFunction(() => window.slid.some(([who, ms]) => who.startsWith('pawn 1') && ms === 250));
    checkNoMistakes(page);
    await page.context().close();
}

/** Plays a table to its end through the page; returns what it says then. */
async function endOf(game, seed) {
    const page = await openWindow(browser);
    const { code } = await openTable(server, page, againstBot(game));
    await playOn(page, randomFrom(seed));
    const { json: table } = await server.api(`/tables/${code}`);
    const said = (await page.textContent('.turn strong')).trim();
    const kind = table.result.winners.length === 2 ? 'drawn' : table.result.winners.includes(0) ? 'won' : 'lost';
    check((await page.$(`.turn.${kind}`)) !== null, `it does not look ${kind}`);
    check((await page.$('.outcome button.primary')) !== null, 'there is no rematch beside the result');
    checkNoMistakes(page);
    await page.context().close();
    return said;
}

const ENDS = {
    'paper-soccer': /^(You|Bot 1) brought the ball into the (wrong )?goal: you have (won!|lost\.)$|^The ball is stuck, and (you|Bot 1) drew the last line: you have (won!|lost\.)$/,
    'treasure-hunt': /^(You reached the fort of Bot 1|Bot 1 reached your fort) with the treasure: you have (won!|lost\.)$|^All actions are used up: you have (won!|lost\.)$/,
    santorini: /^(You|Bot 1) (climbed to the third level|had no move left): you have (won!|lost\.)$/,
    eriantys: /^((You|Bot 1) built the last tower|.*, and .* ahead): (you have (won!|lost\.)|a draw\.)$/,
    renaissance: /^.* ahead on points: (you have (won!|lost\.)|a draw\.)$/,
};

async function endSays(game) {
    const said = await endOf(game, 1);
    check((ENDS[game] ?? /won|lost|draw/).test(said), `it says: ${said}`);
    console.log(`# ${said}`);
}

/** Two people: one resigns, the other is told so, and of the rematch that is offered. */
async function offeredRematch() {
    const ann = await openWindow(browser);
    const { code } = await openTable(server, ann, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const bob = await openWindow(browser, { viewport: { width: 390, height: 844 } });
    await bob.goto(`${server.url}/t/${code}`);
    // What is drawn anew while a name is typed leaves it alone.
    await bob.locator('.tools .name').pressSequentially('Bo');
    const sound = await bob.getAttribute('.tools .tool', 'aria-label');
    await bob.evaluate(() => document.querySelector('.tools .tool').click());
    await bob.waitForFunction((label) => document.querySelector('.tools .tool').getAttribute('aria-label') !== label, sound);
    check((await bob.inputValue('.tools .name')) === 'Bo', 'the name that is being typed is gone');
    await bob.locator('.tools .name').pressSequentially('b');
    await bob.press('.tools .name', 'Tab');
    await bob.click('.seats li.free button');
    await ann.waitForSelector('.turn.mine');
    await ann.click('.commands button >> text=Resign');
    await ann.click('#ask button.primary');
    await ann.waitForSelector('.turn.lost >> text=You resigned: you have lost.');
    await bob.waitForSelector('.turn.won >> text=Ann resigned: you have won!');
    await ann.click('.outcome button >> text=Rematch');
    await ann.waitForURL((url) => !url.pathname.includes(code));
    await bob.waitForSelector('[role=alert] >> text=Ann offers a rematch: play');
    await bob.click('.outcome button >> text=Ann offers a rematch: play');
    await bob.waitForURL((url) => !url.pathname.includes(code));
    for (const page of [ann, bob]) {
        await page.waitForFunction(() => document.querySelector('.seats')?.textContent.includes('Bob'));
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** Plays by keys alone and counts them: one to the board, and then the focus is where the next choice is, so that a move takes one for each of
 * its steps and one to confirm several. */
async function countedKeys(options) {
    const page = await openWindow(browser, options);
    const { code, token } = await openTable(server, page, againstBot('paper-soccer'));
    await page.waitForSelector('.turn.mine');
    const ownMoves = () => stepsOf(code, token, 0);
    const state = () =>
        page.evaluate(() => [...document.querySelectorAll('.drawing, .steps')].map((el) => el.dataset.version ?? el.textContent).join());
    let presses = 0;
    await page.keyboard.press('ArrowDown'); // from the document to the board
    for (let done = 0; done < 4; ) {
        await page.waitForFunction(() => document.activeElement?.matches('.drawing [data-actions], .steps .confirm, .outcome button'));
        const move = (await ownMoves())[done];
        if (move !== undefined) {
            const steps = move.actions.length;
            check(presses === (steps === 1 ? 1 : steps + 1), `move ${done + 1}, ${move.actions}, took ${presses} keys`);
            if ((await page.$('.outcome')) !== null) break;
            done++;
            presses = 0;
        } else {
            const seen = await state();
            presses++;
            await page.keyboard.press('Enter'); // a step, or the confirmation of several
            while ((await state()) === seen) await page.evaluate(() => new Promise(requestAnimationFrame));
        }
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** Arrow keys reach every choice of a board, also those that are buttons, and never lead into the past. */
async function arrowsOnBoards() {
    const page = await openWindow(browser);
    await openTable(server, page, againstBot('eriantys'));
    await page.waitForSelector('.turn.mine');
    const focused = () => page.evaluate(() => document.activeElement?.dataset.action ?? '');
    await page.keyboard.press('ArrowDown');
    check((await focused()).startsWith('assistant '), `the focus is on: ${await focused()}`);
    const values = [await focused()];
    for (let i = 0; i < 3; i++) {
        await page.keyboard.press('ArrowRight');
        values.push(await focused());
    }
    check(new Set(values).size === 4, `arrows lead to: ${values}`);
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft');
    check(!page.url().includes('/at/'), 'an arrow at the edge leads into the past');
    checkNoMistakes(page);
    await page.context().close();
}

/** Notes what sounds: nothing before the person has done something, then what others do, a refusal and the end. */
async function sounds() {
    const page = await openWindow(browser);
    await page.addInitScript(() => {
        window.notes = [];
        const create = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () {
            const oscillator = create.call(this);
            const begin = oscillator.start;
            oscillator.start = function (...when) {
                window.notes.push(this.frequency.value);
                return begin.apply(this, when);
            };
            return oscillator;
        };
    });
    const { code, token } = await openTable(server, page, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const heard = (...notes) =>
        page.waitForFunction((wanted) => wanted.every((note) => window.notes.includes(note)), notes);
    await page.click('.side h1'); // from here on it may sound
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob', seat: 1 });
    await heard(587);
    await page.waitForSelector('.turn.mine');
    const act = async (who, text) => {
        const { json: table } = await server.api(`/tables/${code}`, undefined, who);
        return server.api(`/tables/${code}/actions`, { version: table.version, actions: [text] }, who);
    };
    await act(token, 'N');
    await act(bob.token, 'N');
    await heard(440, 660, 880);
    await page.route('**/actions', (route) =>
        route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"error":"illegal","reason":"no"}' }),
    );
    await page.click('.drawing [data-actions]');
    await heard(196, 165);
    await server.api(`/tables/${code}/resign`, {}, bob.token);
    await heard(523, 659, 784);
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases([
    ['what another one did is shown step by step, and again', stepByStep],
    ...games.map((game) => [`the last turn of ${game.title} is marked`, () => marked(game.name, 1280)]),
    ['the last turn of Eriantys is marked on a phone', () => marked('eriantys', 390)],
    ['pieces slide', piecesSlide],
    ['nothing moves for who wants less motion', lessMotion],
    ...games.map((game) => [`the end of ${game.title} says who did what`, () => endSays(game.name)]),
    ['a rematch that is offered is announced', offeredRematch],
    ['keys are counted: after a move the focus is on the next choice', () => countedKeys({})],
    ['keys are counted while turns are shown step by step', () => countedKeys(moving)],
    ['arrow keys reach all choices of a board', arrowsOnBoards],
    ['moves, refusals, ends and arrivals sound', sounds],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
