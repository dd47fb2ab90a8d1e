// Championships in a real browser: opened from the lobby, entered by name, played, directed by their owner, and what is shown of them.
//   node cups.mjs PARLOR [CASE]...
import { axeLines, axeScript, check, checkNoMistakes, codeOf, openBrowser, openWindow, playOn, randomFrom, runCases, Server } from './kit.mjs';

const axe = axeScript();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' };
const server = await Server.start(process.argv[2], ['--ugs', '127.0.0.1:0']);
const browser = await openBrowser();

/** Nothing is wider than the window, and axe-core finds nothing. */
async function checkLooks(page, where) {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    check(width <= page.viewportSize().width, `${where} is ${width} px wide`);
    await page.evaluate(axe);
    const found = await page.evaluate(axeLines);
    check(found.length === 0, `${where}: axe finds:\n${found.join('\n')}`);
}

/** A championship through the API, with so many bots; its name, its owner's token and how to ask it. */
async function openCup(name, format, bots, wish = {}) {
    const { status, json } = await server.api('/championships', { name, game: 'paper-soccer', format, ...wish });
    check(status === 201, `POST /championships: ${status} ${JSON.stringify(json)}`);
    const owner = json.owner_token;
    for (let i = 1; i <= bots; i++) await server.api(`/championships/${name}/entrants`, { name: `Rook ${i}`, bot: 1 }, owner);
    return { name, owner, path: `/c/${name}`, ask: (what, body = {}) => server.api(`/championships/${name}/${what}`, body, owner) };
}

/** This window directs a championship. */
async function own(page, { name, owner }) {
    await page.goto(server.url);
    await page.evaluate(([of, token]) => localStorage.setItem('parlor.cups', JSON.stringify({ [of]: { owner: token } })), [name, owner]);
}

/** In the page: whether the state in the first line is that one. */
const isState = (state) => document.querySelector(`.cup-state.${state}`) !== null;

async function openedAndPlayed() {
    const page = await openWindow(browser);
    await page.goto(server.url);
    await page.click('.cups a[href="/c"]');
    await page.fill('.cup-form input >> nth=0', 'spring');
    await page.selectOption('.cup-form select >> nth=0', 'paper-soccer');
    await page.selectOption('.cup-form select >> nth=1', 'round-robin');
    await checkLooks(page, '/c');
    await page.click('.cup-form .primary');
    await page.waitForURL(/\/c\/spring$/);
    check(await page.isDisabled('.start'), 'one without entrants can be started');
    await page.selectOption('.cup-owner select', '1');
    for (let i = 1; i <= 3; i++) {
        await page.click('.add-bot');
        await page.waitForSelector(`.standings tbody tr >> nth=${i - 1}`);
    }
    await page.click('.start');
    await page.waitForFunction(isState, 'finished'); // told, not asked for again
    const { json: cup } = await server.api('/championships/spring');
    const nicks = await page.$$eval('.standings tbody th', (cells) => cells.map((cell) => cell.firstChild.textContent));
    check(nicks.join() === cup.standings.map((row) => row.nick).join(), `the standings have ${nicks}`);
    check((await page.textContent('.cup-winner')).includes(cup.standings[0].nick), 'the winner is not named');
    const cells = await page.$$eval('.cross td a', (links) => links.map((link) => link.getAttribute('href')));
    check(cells.length === 6, `the crosstable has ${cells.length} cells`);
    check(cup.pairings.every(({ table }) => cells.filter((href) => href === `/t/${table}`).length === 2), `the cells lead to ${cells}`);
    for (const link of await page.$$('.cup-files a, .cup-links a[download]')) {
        const address = await link.getAttribute('href');
        const answer = await fetch(`${server.url}${address}`);
        check(answer.status === 200 && (await answer.text()).length > 50, `${address} answers ${answer.status}`);
    }
    await checkLooks(page, '/c/spring');
    await page.click('.cross td a');
    await page.waitForSelector('.outcome');
    checkNoMistakes(page);
    await page.context().close();
}

/** By name on a phone, called when the table waits, played there, back again; also from the lobby. */
async function enteredAndPlayed() {
    const cup = await openCup('summer', 'knockout', 1, { turn_ms: 600_000 });
    const page = await openWindow(browser, PHONE);
    await page.goto(`${server.url}${cup.path}`);
    await page.fill('#cup-as', 'Ann');
    await page.click('.cup-enter .primary');
    await page.waitForSelector('.cup-own >> text=You have entered as Ann.');
    await page.reload();
    await page.waitForSelector('.cup-own >> text=You have entered as Ann.');
    await cup.ask('start');
    const call = await page.waitForSelector('.cup-own a.button');
    check((await page.title()).startsWith('●'), `the title is ${await page.title()}`);
    await page.waitForSelector('.small-board .picture');
    await checkLooks(page, cup.path);
    await page.goto(server.url);
    await page.waitForSelector('.own .table-row');
    await page.goto(`${server.url}${cup.path}`);
    await page.click('.cup-own a.button');
    await codeOf(page);
    await page.waitForSelector('.side .to-cups');
    await playOn(page, randomFrom(5));
    await page.click('.outcome a.button');
    await page.waitForFunction(isState, 'finished');
    check((await page.textContent('.standings')).includes('Ann'), 'Ann is not in the standings');
    check(call !== null && (await page.$('.cup-own a.button')) === null, 'a table that is over still waits');
    const { json } = await server.api('/championships/summer');
    const rated = json.standings.find(({ nick }) => nick === 'Ann');
    const shown = `${Math.round(rated.rating)} (${rated.rating_change < 0 ? '−' : '+'}`;
    check((await page.textContent('.own-row [data-column=rating]')).startsWith(shown), `the rating is not ${shown}`);
    await page.click('.own-row a');
    await page.waitForSelector(`.rated >> text=${Math.round(rated.rating)} ±`);
    const next = await openCup('summer-2', 'swiss', 1);
    await page.goto(`${server.url}${next.path}`);
    await page.click('.cup-enter .primary');
    await page.waitForSelector('.own-row');
    const kept = await page.evaluate(() => Object.values(JSON.parse(localStorage.getItem('parlor.cups'))).map(({ token }) => token));
    check(kept.length === 2 && kept[0] === kept[1], 'who enters again is somebody new');
    checkNoMistakes(page);
    await page.context().close();
}

async function directed() {
    const cup = await openCup('autumn', 'round-robin', 1, { turn_ms: 600_000, tables_max: 1 });
    for (const name of ['Bob', 'Eve']) await server.api(`/championships/autumn/entrants`, { name });
    const page = await openWindow(browser);
    await own(page, cup);
    await page.goto(`${server.url}${cup.path}`);
    await page.click('.cup-out summary');
    await page.selectOption('.cup-out select', 'Rook 1');
    await page.click('.put-out');
    await page.waitForFunction(() => document.querySelectorAll('.standings tbody tr').length === 2);
    await page.click('.start');
    await page.click('.pause');
    await page.waitForFunction(isState, 'paused');
    await page.click('.resume');
    await page.waitForFunction(isState, 'running');
    const first = await page.getAttribute('[data-table]', 'data-table');
    await page.click('.replay-pair');
    await page.click('#ask[open] .primary');
    await page.waitForFunction((old) => ![null, old].includes(document.querySelector('[data-table]')?.dataset.table ?? null), first);
    await page.selectOption('.cup-out select', 'Eve');
    await page.fill('.cup-out input', 'she peeked');
    await page.click('.put-out');
    await page.click('#ask[open] .primary');
    await page.waitForSelector('.standings >> text=disqualified: she peeked');
    await page.waitForFunction(isState, 'finished');
    check((await page.textContent('.cup-games')).includes('Eve left'), `it says: ${await page.textContent('.cup-games')}`);
    check((await page.$('.cup-owner, .replay-pair')) === null, 'one that is over can still be directed');
    const other = await openCup('winter', 'swiss', 4);
    await own(page, other);
    await page.goto(`${server.url}${other.path}`);
    await page.click('.cancel');
    await page.click('#ask[open] .primary');
    await page.waitForFunction(isState, 'cancelled');
    checkNoMistakes(page);
    await page.context().close();
}

/** In German, an unknown one, and one of the Universal Game System, whose programs enter by logging in. */
async function othersShown() {
    const page = await openWindow(browser, { ...PHONE, locale: 'de-DE' });
    await page.goto(`${server.url}/c/nowhere`);
    await page.waitForSelector('h1 >> text=Eine Meisterschaft dieses Namens gibt es nicht.');
    const { json: hall } = await server.api('/championships', { type: 'paper-soccer', players: 4 });
    await page.click('.to-cups');
    await page.click(`.table-row:has-text("${hall.name}")`);
    await page.waitForSelector(`main >> text=„${hall.name}“`);
    check((await page.textContent('.cup-line')).includes('Universal Game System'), 'it is not told apart');
    check((await page.$('.cup-enter')) === null, 'people are asked to enter it');
    const cup = await openCup('herbst', 'ladder', 3);
    await page.goto(`${server.url}${cup.path}`);
    await page.waitForSelector('.cup-enter >> text=Mitmachen');
    check((await page.textContent('.cup-line')).includes('Leiter'), 'its format is not told');
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases([
    ['one is opened in the lobby, filled with bots, and everything about it is shown', openedAndPlayed],
    ['somebody enters by name, is called to the table, plays and comes back', enteredAndPlayed],
    ['the owner pauses, goes on, has a pair play again, disqualifies and cancels', directed],
    ['German, an unknown one, and one of the Universal Game System', othersShown],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
