// A board game that has no drawing of its own, played on the grid of its description by clicks on cells.
//   node grid.mjs PARLOR [CASE]...
// PARLOR is a program with the game Three Men (tests/fixture/sixth_game). PARLOR_GRID_IMAGE names a file for a picture.
import {
    axeLines,
    axeScript,
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

const GAME = 'three-men';
const seed = Number(process.env.PARLOR_BROWSER_SEED ?? 1);
const server = await Server.start(process.argv[2], ['--seed', '3']);
const browser = await openBrowser();

const cell = (name) => `.grid [data-cell="${name}"]`;

/** Two people in one window: the first seat has the page, the second plays through the API. */
async function openPair(options = {}) {
    const page = await openWindow(browser, options);
    const made = await openTable(server, page, { game: GAME, seats: 2, seat: { name: 'Ann', seat: 0 } });
    const { status: seated, json: guest } = await server.api(`/tables/${made.code}/seats`, { name: 'Ben' });
    check(seated === 201 || seated === 200, `Ben does not sit: ${JSON.stringify(guest)}`);
    const answer = async (action) => {
        // The page shows that the turn is over while its action is still being saved.
        let table;
        do ({ json: table } = await server.api(`/tables/${made.code}`, undefined, guest.token));
        while (!table.turn.includes(1));
        const { status, json } = await server.api(
            `/tables/${made.code}/actions`,
            { version: table.version, actions: [action] },
            guest.token,
        );
        check(status === 200, `${action}: ${status} ${JSON.stringify(json)}`);
    };
    return { page, code: made.code, answer };
}

async function put(page, name, action) {
    await page.waitForSelector('.turn.mine');
    await page.click(cell(name));
    await page.click(`#choose[open] button[data-action="${action}"]`);
    await sent(page);
}

/** A turn of one action is sent at once. */
function sent(page) {
    return page.waitForSelector('.turn:not(.mine)');
}

async function placeAll({ page, answer }) {
    for (const [mine, theirs] of [
        ['put a1', 'put a3'],
        ['put b1', 'put b3'],
        ['lay c2', 'put c1'],
    ]) {
        await put(page, mine.slice(4), mine);
        await answer(theirs);
    }
    await page.waitForSelector('.turn.mine');
}

async function oneCellManyActions() {
    const { page } = await openPair();
    await page.waitForSelector('.turn.mine');
    check((await page.$$('.grid .target')).length === 9, 'not every cell can be clicked');
    await page.click(cell('b2'));
    const offered = await page.$$eval('#choose[open] button[data-action]', (all) => all.map((one) => one.dataset.action));
    check(offered.join() === 'put b2,lay b2', `a cell offers ${offered}`);
    await page.evaluate(axeScript());
    const found = await page.evaluate(axeLines);
    check(found.length === 0, `axe finds in the dialog:\n${found.join('\n')}`);
    await page.click('#choose[open] button[data-action="lay b2"]');
    await sent(page);
    check((await page.textContent(`${cell('b2')} .sign`)) === 'x', 'the man does not lie there');
    checkNoMistakes(page);
    await page.context().close();
}

async function twoCellsOneAction() {
    const pair = await openPair();
    const { page, code } = pair;
    await placeAll(pair);
    const marked = () => page.$$eval('.grid .open', (all) => all.map((one) => one.dataset.cell).sort().join());
    check((await marked()) === 'a1,b1', `the men that can move are ${await marked()}`);
    check((await page.$$('.actions > .choices [data-action="pass"]')).length === 1, 'what has no cell is not in the list');
    await page.click(cell('b1'));
    if (process.env.PARLOR_GRID_IMAGE !== undefined) await page.screenshot({ path: process.env.PARLOR_GRID_IMAGE });
    check((await marked()) === 'a2,b2,c3', `from b1 it goes to ${await marked()}`);
    await page.click(cell('b1'));
    check((await marked()) === 'a1,b1', 'a second click does not take the first back');
    await page.click(cell('b1'));
    await page.click(cell('a1'));
    check((await page.getAttribute(cell('a1'), 'aria-pressed')) === 'true', 'another man cannot be taken instead');
    await page.focus(cell('c3'));
    await page.keyboard.press('ArrowDown');
    check((await page.evaluate(() => document.activeElement.dataset.cell)) === 'b2', 'the arrow does not lead to b2');
    await page.keyboard.press('Enter');
    await sent(page);
    let table; // the page shows that the turn is over while its action is still being saved
    do ({ json: table } = await server.api(`/tables/${code}`));
    while (table.turn.includes(0));
    const names = table.view.board.cells.filter((one) => one.owner === 0).map((one) => one.name);
    check(names.sort().join() === 'b1,b2,c2', `the men are on ${names}`);
    await page.waitForFunction(() => document.querySelectorAll('.grid .cell.last').length === 2); // the last move
    checkNoMistakes(page);
    await page.context().close();
}

async function toTheEnd() {
    for (let game = 0; game < 3; game++) {
        const page = await openWindow(browser);
        const bots = [{ seat: 1, level: 1 }];
        const { code } = await openTable(server, page, { game: GAME, seats: 2, bots, seat: { name: 'Ann', seat: 0 } });
        const clicks = await playOn(page, randomFrom(seed + game));
        const { json: table } = await server.api(`/tables/${code}`);
        check(table.over && table.result.why === 'played', 'it did not come to its end');
        check((await page.$$('.grid .target')).length === 0, 'cells can be clicked when it is over');
        await page.goto(`${server.url}/t/${code}/at/4`);
        await page.waitForSelector('.grid .cell');
        checkNoMistakes(page);
        console.log(`# ${clicks} clicks`);
        await page.context().close();
    }
}

async function smallScreen() {
    const { page } = await openPair({ viewport: { width: 360, height: 640 } });
    await page.waitForSelector('.turn.mine');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 360, `the page is ${wide} pixels wide`);
    const { width } = await (await page.$(cell('b2'))).boundingBox();
    check(width >= 44, `a cell is ${width} pixels wide`);
    await page.context().close();
}

const failed = await runCases([
    ['a cell of several actions lets choose', oneCellManyActions],
    ['two cells are one action, by mouse and by keyboard', twoCellsOneAction],
    ['tables are played to their end by clicks', toTheEnd],
    ['a phone shows the whole board', smallScreen],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
