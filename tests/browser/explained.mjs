// Everything that a board shows is explained: by the focus of the keyboard and by a long press of a finger, in all five games, in the middle of play and for a watcher.
//   node explained.mjs PARLOR [CASE]...
import { againstBot, check, checkNoMistakes, GUARD_MS, openBrowser, openTable, openWindow, runCases, Server } from './kit.mjs';

const VERSION = 24; // of the position that is looked back upon

const server = await Server.start(process.argv[2], ['--seed', '7']);
const browser = await openBrowser();

/** What has no meaning of its own: the ground of a picture, its frame and its lettering. Whatever is words itself, as the text of a card, needs no others. */
const GROUND = 'svg.picture > .paper, .square, .middle, .frame, .divide, .half-label, .sea, .cliff, .coordinate, .round, .bag, .tray, .wood, .wall, .chest, svg.dotmark *, .aim, .hit, .trace, .rumour';

const OPTIONS = { santorini: { gods: 'choose' }, eriantys: { mode: 'expert' } };
const GAMES = ['paper-soccer', 'treasure-hunt', 'santorini', 'eriantys', 'renaissance'];

/** In the page: numbers everything drawn that must be explained, by what it is explained through; what is not explained at all. */
function survey(ground) {
    const wordsOf = (el) => el.getAttribute('data-tip') ?? ([...el.children].find((child) => child.tagName === 'title')?.textContent || el.getAttribute('aria-label')) ?? '';
    const bare = [];
    const owners = new Set();
    for (const el of document.querySelectorAll('.drawing svg *')) {
        const isLeaf = el.tagName !== 'title' && ![...el.children].some((child) => child.tagName !== 'title');
        const { width, height } = el.getBoundingClientRect();
        if (!isLeaf || width + height === 0 || !el.checkVisibility() || el.matches(ground)) continue; // what is folded away is not there
        let owner = el;
        while (!owner.matches('.drawing') && (owner.matches('svg.picture') || wordsOf(owner) === '')) owner = owner.parentElement;
        if (owner.matches('.drawing')) bare.push(`${el.tagName}.${el.getAttribute('class')} in ${el.parentElement.getAttribute('class')}`);
        else owners.add(owner);
    }
    let number = 0;
    for (const owner of owners) if (owner.closest('[aria-hidden="true"]') === null) owner.setAttribute('data-survey', number++);
    return { bare: [...new Set(bare)], count: number };
}

/** Somebody's own turn, with everything that can be done. */
async function played(game) {
    const page = await openWindow(browser, { hasTouch: true });
    await page.clock.install();
    await openTable(server, page, againstBot(game));
    await page.clock.resume();
    await page.waitForSelector('.turn.mine');
    await page.waitForSelector('.drawing [data-actions], .drawing [data-action], .actions [data-action]', { state: 'attached' });
    return page;
}

/** A position of two bots that somebody looks back upon, in German. */
async function watched(game) {
    const bots = [0, 1].map((seat) => ({ seat, level: 1 }));
    const { json } = await server.api('/tables', { game, seats: 2, options: OPTIONS[game] ?? {}, bots });
    let { version } = json;
    for (const deadline = Date.now() + GUARD_MS; version < VERSION; version = (await server.api(`/tables/${json.code}`)).json.version)
        check(Date.now() < deadline, `the bots are at ${version}`);
    const page = await openWindow(browser, { locale: 'de-DE', hasTouch: true });
    await page.clock.install();
    await page.clock.resume();
    await page.goto(`${server.url}/t/${json.code}/at/${VERSION}`);
    await page.waitForSelector('.replay');
    await page.waitForSelector('.drawing svg');
    return page;
}

async function everythingIsExplained(game, open) {
    const page = await open(game);
    const { bare, count } = await page.evaluate(survey, GROUND);
    check(bare.length === 0, `${game} does not explain:\n${bare.join('\n')}`);
    check(count >= 5, `only ${count} things`);
    // Shift and → go through all of it, and each says what it is.
    await page.keyboard.press('Shift+ArrowRight');
    const { seen, silent } = await page.evaluate(() => {
        const walked = new Set();
        const numbers = [];
        const without = [];
        while (!walked.has(document.activeElement)) {
            const at = document.activeElement;
            walked.add(at);
            if (at.hasAttribute('data-survey')) numbers.push(at.getAttribute('data-survey'));
            if ((document.querySelector('.tip')?.textContent ?? '').trim().length < 2) without.push(at.outerHTML.slice(0, 160));
            at.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true }));
        }
        return { seen: numbers, silent: without };
    });
    check(silent.length === 0, `nothing is said about:\n${silent.slice(0, 5).join('\n')}`);
    const missed = await page.$$eval('[data-survey]', (all, known) => all.filter((one) => !known.includes(one.dataset.survey)).map((one) => one.outerHTML.slice(0, 160)), seen);
    check(missed.length === 0, `the keyboard does not come to:\n${missed.slice(0, 5).join('\n')}`);
    await longPresses(page);
    checkNoMistakes(page);
    await page.context().close();
}

/** A finger that stays on each of them; nothing is played by it. */
async function longPresses(page) {
    await page.evaluate(() => document.activeElement?.blur());
    const before = await page.getAttribute('.drawing', 'data-version');
    const steps = (await page.$$('.steps')).length;
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const numbers = await page.$$eval('[data-survey]', (all) => all.map((one) => one.dataset.survey));
    for (const number of numbers) {
        const press = (types) =>
            page.evaluate(
                ([kinds, which]) => {
                    const el = document.querySelector(`[data-survey="${which}"]`);
                    const tip = document.querySelector('.tip')?.textContent ?? '';
                    const { x, y, width, height } = el.getBoundingClientRect();
                    const init = { bubbles: true, cancelable: true, pointerType: 'touch', clientX: x + width / 2, clientY: y + height / 2 };
                    for (const kind of kinds) el.dispatchEvent(kind === 'click' ? new MouseEvent('click', init) : new PointerEvent(kind, init));
                    return { tip, what: el.outerHTML.slice(0, 160) };
                },
                [types, number],
            );
        await press(['pointerdown']);
        await page.clock.runFor(600);
        const { tip, what } = await press(['pointerup', 'click']);
        check(tip.trim().length > 1, `a long press says nothing about ${what}`);
    }
    check((await page.getAttribute('.drawing', 'data-version')) === before, 'a long press has played');
    check((await page.$$('.steps')).length === steps, 'a long press has begun a turn, or ended one');
    await page.clock.resume();
}

const failed = await runCases([
    ...GAMES.map((game) => [`everything of ${game} is explained to who plays`, () => everythingIsExplained(game, played)]),
    ...GAMES.map((game) => [`everything of ${game} is explained to who watches, in German`, () => everythingIsExplained(game, watched)]),
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
