// axe-core finds nothing to complain about: every kind of page, light and dark, on a phone and on a desk.
//   node axe.mjs PARLOR [CASE]...
import { againstBot, axeLines, axeScript, check, checkNoMistakes, openBrowser, openWindow, runCases, Server, setColours } from './kit.mjs';

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const axe = axeScript();
const server = await Server.start(process.argv[2]);
const browser = await openBrowser();

const tickets = {};

/** Opens a table of Ann's. */
async function table(wish) {
    const { json } = await server.api('/tables', wish);
    tickets[json.code] = { seat: json.seat ?? -1, token: json.token ?? '', owner: json.owner_token };
    return { ...json, path: `/t/${json.code}` };
}

/** What each kind of page is, and what it has once it is there. */
const pages = [
    ['/', '[data-game]'],
    ['/archive', 'main h1'],
    ['/connect', 'main h1'],
    ['/docs/protocols/santorini', '.rules h2'],
    ['/rules/eriantys', '.rules .rule'],
    ['/p/Ann', 'main h1'],
    ['/c', '.cup-form'],
    ['/c/spring', '.cup-owner'],
    ['/nowhere', 'main h1'],
];
const { json: cup } = await server.api('/championships', { name: 'spring', game: 'paper-soccer', format: 'swiss' });
const boards = {};
for (const { name } of (await server.api('/games')).json.games) {
    boards[name] = await table(againstBot(name));
    pages.push([boards[name].path, '.turn.mine']);
}
const [first] = Object.keys(tickets);
pages.push([`/t/${first}/at/2`, '.replay']);
const { json: waiting } = await server.api('/tables', { game: 'paper-soccer', seats: 2, seat: { name: 'Bob', seat: 0 } });
pages.push([`/t/${waiting.code}`, '.invitation']);

const ended = await table(againstBot('renaissance'));
await server.api(`/tables/${ended.code}/resign`, {}, ended.token);
const own = await table({ game: 'santorini', seats: 3, seat: { name: 'Ann', seat: 0 }, options: { gods: 'choose' } });
const painted = await table(againstBot('treasure-hunt', { players: 'course' }));
const expert = await table(againstBot('eriantys', { mode: 'expert' }));
/** A client of a protocol that is refused, for the inspector. */
const hunted = await (await fetch(`${server.url}/games`)).text();
const [, hunt] = /<uniqueGameID>(\w+)</.exec(hunted);
for (const move of ['players', 'moves'])
    await fetch(`${server.url}/games/${hunt}/${move}`, { method: 'POST', body: '<playerMove><move>Up</move></playerMove>' });

/** A table of Ann's with lines in its inspector: somebody comes, and is refused. */
const inspected = await table({ game: 'treasure-hunt', protocol: 'treasure', inspect: true });
await fetch(`${server.url}/games/${inspected.code}/players`, {
    method: 'POST',
    body: '<playerRegistration><playerUsername>ann</playerUsername></playerRegistration>',
});
await fetch(`${server.url}/games/${inspected.code}/moves`, { method: 'POST', body: '<playerMove><move>Up</move></playerMove>' });

const command = (words) => `.commands button:has-text("${words}")`;
/** What else pages can show: where, what is there first, and what is clicked and seen then, one after the other. */
const states = [
    ['/', '[data-game]', ['[data-game="eriantys"] .buttons button >> nth=1', '#new-table[open]']],
    ['/', '[data-game]', ['[data-game="santorini"] .learn', '.tour', '.tour .primary', '.tour']],
    [ended.path, '.outcome', ['.replay button >> nth=0', '.replay select']],
    ['/archive', '.table-row', []],
    [own.path, '.share', []],
    [painted.path, '.half-editor', ['[data-brush=W]', '.brush.on']],
    [expert.path, '.turn.mine', ['.actions summary', '.actions details[open]']],
    [boards.santorini.path, '.turn.mine', [command('Resign'), '#ask[open]']],
    [
        boards['paper-soccer'].path,
        '.turn.mine',
        ['.hint-ask', '.advice', '.reasons summary', '.reasons[open]', command('another device'), '.device', command('Save as'), '.files', command('How to'), '.how', '.astext summary', '.astext[open]'],
    ],
    [`/t/${hunt}/wire`, '#token', []],
    [`${inspected.path}/wire`, '.wire-item.refused', []],
    ...['eriantys', 'renaissance'].map((game) => [
        boards[game].path,
        '.turn.mine',
        (isPhone) => (isPhone ? ['[data-look=table]', '.tab-panel', '[data-look=others]', '.drawer'] : ['.drawer summary', '.drawer']),
    ]),
];

/** In light colours by all its rules, then in dark ones by those about colours: nothing else differs. */
async function complaints(page) {
    await page.evaluate(axe);
    const light = await page.evaluate(axeLines);
    await setColours(page, 'dark');
    const dark = await page.evaluate(axeLines, COLOUR_RULES);
    await setColours(page, 'light');
    return [...light, ...dark.map((line) => `dark: ${line}`)];
}

async function openOwn(width) {
    const page = await openWindow(browser, { colorScheme: 'light', viewport: { width, height: 844 } });
    await page.goto(server.url);
    await page.evaluate(
        ([seats, owner]) => {
            localStorage.setItem('parlor.tickets', JSON.stringify(seats));
            localStorage.setItem('parlor.cups', JSON.stringify({ spring: { owner } }));
        },
        [tickets, cup.owner_token],
    );
    return page;
}

async function nothingFound(width) {
    const page = await openOwn(width);
    const found = [];
    for (const [path, sign] of pages) {
        await page.goto(`${server.url}${path}`);
        await page.waitForSelector(sign);
        for (const line of await complaints(page)) found.push(`${path}: ${line}`);
    }
    check(found.length === 0, `axe finds:\n${found.join('\n')}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** Nothing in what pages show when something on them was clicked. */
async function nothingFoundWithin(width) {
    const page = await openOwn(width);
    const found = [];
    for (const [path, sign, clicks] of states) {
        await page.goto(`${server.url}${path}`);
        await page.waitForSelector(sign);
        const steps = typeof clicks === 'function' ? clicks(width < 640) : clicks;
        for (let step = 0; step <= steps.length; step += 2) {
            if (step > 0) {
                await page.click(steps[step - 2]);
                await page.waitForSelector(steps[step - 1]);
            }
            if (step > 0 || steps.length === 0)
                for (const line of await complaints(page)) found.push(`${path} after ${steps[step - 2] ?? 'opening'}: ${line}`);
        }
    }
    check(found.length === 0, `axe finds:\n${found.join('\n')}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** The test would notice: words that can hardly be read, in dark colours only. */
async function faintIsFound() {
    const page = await openOwn(390);
    await page.waitForSelector('[data-game] p');
    await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(":root[data-theme='dark'] [data-game] p { color: #444 !important }");
        document.adoptedStyleSheets = [sheet];
    });
    const found = await complaints(page);
    check(found.length === 1 && found[0].startsWith('dark: color-contrast'), `found is: ${found.join(' | ')}`);
    await page.context().close();
}

const failed = await runCases([
    ...[390, 1280].flatMap((width) => [
        [`axe finds nothing, light and dark, ${width} px`, () => nothingFound(width)],
        [`axe finds nothing in dialogs, panels and ended tables, light and dark, ${width} px`, () => nothingFoundWithin(width)],
    ]),
    ['axe would find faint words in dark colours', faintIsFound],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
