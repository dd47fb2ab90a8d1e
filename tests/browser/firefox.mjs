// The page in Debian's Firefox: a whole game of each kind against a bot, as on a phone and on a desk, light and dark; nothing sticks out, the
// question stays in sight, axe-core finds nothing, and the console has no error.
//   node firefox.mjs PARLOR [CASE]...
process.env.PARLOR_BROWSER = 'firefox';
const { againstBot, axeLines, axeScript, check, checkNoMistakes, GUARD_MS, isReady, openBrowser, openTable, openWindow, pick, randomFrom, runCases, Server } =
    await import('./kit.mjs');

const WIDTHS = [390, 1280];
const HEIGHT_PX = 844;
const REAL_EVERY = 8; // clicks of which one is made by the pointer of the browser itself, which looks at what is in front
const CLICKS_MAX = 3000;
const LOOK_AFTER = 6; // clicks: the middle of a game
const seed = Number(process.env.PARLOR_BROWSER_SEED ?? 1);
const server = await Server.start(process.argv[2], ['--seed', String(seed)]);
const games = (await server.api('/games')).json.games;
const axe = axeScript();
const browser = await openBrowser();

/** In the page: makes clicks until so many are made, or there is nothing to click; returns how many, and what came last. */
async function clickOn([pickText, readyText, lucks]) {
    const pickNow = new Function(`return (${pickText})(...arguments)`);
    const ready = new Function(`return (${readyText})(...arguments)`);
    const frame = () => new Promise((seen) => requestAnimationFrame(seen));
    for (let made = 0; made <= lucks.length; made++) {
        while (!ready()) await frame();
        const kind = pickNow(lucks[Math.min(made, lucks.length - 1)]);
        if (kind === 'over' || made === lucks.length) return { made, kind };
        if (kind === 'wait') {
            made--;
            await frame();
            continue;
        }
        let isChanged = false;
        const watch = new MutationObserver(() => (isChanged = true));
        watch.observe(document.getElementById('app'), { subtree: true, childList: true, attributes: true });
        document.querySelector('[data-pick]').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
        for (let turns = 0; !isChanged && turns < 20; turns++) await new Promise((later) => setTimeout(later));
        watch.disconnect();
    }
}

/** By the pointer; a place that is behind another one is reached by the keyboard. */
async function pressPicked(page) {
    try {
        await page.click('[data-pick]', { timeout: 1000 });
    } catch (error) {
        if (!/Timeout|not attached|intercepts/.test(error.message)) throw error;
        await page.evaluate(() => document.querySelector('[data-pick]')?.focus());
        await page.keyboard.press('Enter');
    }
}

/** Plays at random until the table is over, or so many clicks are made. */
async function play(page, random, clicks_max) {
    let clicks = 0;
    while (clicks < clicks_max) {
        const lucks = Array.from({ length: Math.min(REAL_EVERY, clicks_max - clicks) }, () => [random(), random()]);
        const { made, kind } = await page.evaluate(clickOn, [String(pick), String(isReady), lucks]);
        clicks += made;
        if (kind === 'over') break;
        if (kind === 'wait' || clicks >= clicks_max) continue;
        await pressPicked(page);
        clicks++;
    }
    return clicks;
}

async function checkLooks(page, what) {
    await page.evaluate(axe);
    const lines = await page.evaluate(axeLines);
    check(lines.length === 0, `${what}: axe finds:\n${lines.join('\n')}`);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    check(beyond <= 0, `${what}: ${beyond} pixels too wide`);
}

/** In the page: where the question is after scrolling. */
async function questionAt() {
    window.scrollTo(0, document.documentElement.scrollHeight / 3);
    await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
    const { top, bottom } = document.querySelector('.turn').getBoundingClientRect();
    window.scrollTo(0, 0);
    return { top, bottom };
}

async function wholeGame(game, colorScheme, width) {
    const page = await openWindow(browser, { colorScheme, viewport: { width, height: HEIGHT_PX } });
    const { code } = await openTable(server, page, againstBot(game.name));
    await page.waitForSelector(`html[data-theme=${colorScheme}]`);
    const random = randomFrom(seed + width);
    let clicks = await play(page, random, LOOK_AFTER);
    await page.waitForFunction(isReady);
    await checkLooks(page, 'in the middle');
    if ((await page.$('.outcome')) === null) {
        const { top, bottom } = await page.evaluate(questionAt);
        check(top >= 0 && bottom < HEIGHT_PX, `the question is at ${top} after scrolling`);
    }
    clicks += await play(page, random, CLICKS_MAX);
    const { json: table } = await server.api(`/tables/${code}`);
    check(table.over && table.result.why === 'played', `it is not played to its end: ${JSON.stringify(table.result)}`);
    checkNoMistakes(page);
    await page.context().close();
    console.log(`# ${clicks} clicks`);
}

/** The test would notice: an error of a script and a line of the console are heard. */
async function mistakesAreHeard() {
    const page = await openWindow(browser);
    await page.goto(server.url);
    await page.evaluate(() => {
        window.setTimeout(() => {
            throw new Error('heard 1');
        });
        console.error('heard 2');
    });
    const deadline = Date.now() + GUARD_MS;
    const isHeard = () => ['heard 1', 'heard 2'].every((word) => page.mistakes.some((line) => line.includes(word)));
    while (!isHeard() && Date.now() < deadline) await page.evaluate(() => new Promise((seen) => requestAnimationFrame(seen)));
    check(isHeard(), `heard was: ${page.mistakes.join(' | ')}`);
    await page.context().close();
}

// Each game on both widths; where one is light the next one is dark. PARLOR_BROWSER_ALL has every game at both widths, light and dark.
const isWhole = process.env.PARLOR_BROWSER_ALL !== undefined;
const failed = await runCases([
    ['errors are heard in Firefox', mistakesAreHeard],
    ...games.flatMap((game, index) =>
        WIDTHS.flatMap((width, at) =>
            ['light', 'dark']
                .filter((_, dark) => isWhole || (index + at) % 2 === dark)
                .map((theme) => [`a whole game of ${game.title} in Firefox, ${width} px, ${theme}`, () => wholeGame(game, theme, width)]),
        ),
    ),
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
