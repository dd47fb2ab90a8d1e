// An opponent who is gone, and a seat that goes to another device, in a real browser.
//   node away.mjs PARLOR [CASE]...
import { check, checkNoMistakes, openBrowser, openTable, openWindow, runCases, Server } from './kit.mjs';

const server = await Server.start(process.argv[2], ['--claim-after', '1', '--absent-after', '1']);
const browser = await openBrowser();
const PHONE = [390, 844];
const DESK = [1280, 800];
const sized = ([width, height]) => ({ viewport: { width, height } });

/** Ann waits in her window for Bob, whose turn it is and who has closed his. */
async function leftAlone(size) {
    const ann = await openWindow(browser, sized(size));
    const { code, token } = await openTable(server, ann, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob', seat: 1 });
    const other = await openWindow(browser);
    await other.goto(server.url);
    await other.evaluate(
        ([code, token]) => localStorage.setItem('parlor.tickets', JSON.stringify({ [code]: { seat: 1, token } })),
        [code, bob.token],
    );
    await other.goto(`${server.url}/t/${code}`);
    await other.waitForSelector('main.table .turn');
    await ann.waitForSelector('.turn.mine');
    await server.api(`/tables/${code}/actions`, { actions: ['N'] }, token);
    await other.waitForSelector('.turn.mine');
    check((await ann.$('.gone')) === null, 'Bob is said to be gone while he is there');
    await other.context().close();
    await ann.waitForSelector('.gone button >> text=Claim the game');
    return { ann, code, token, bob: bob.token };
}

/** Whether all of it can be seen without scrolling. */
async function isInSight(page, selector) {
    await page.evaluate(() => scrollTo(0, 0));
    return page.$eval(selector, (el) => el.getBoundingClientRect().bottom <= innerHeight && el.getBoundingClientRect().right <= innerWidth);
}

async function claimed(size) {
    const { ann, code } = await leftAlone(size);
    check(await isInSight(ann, '.gone'), 'what can be done is out of sight');
    await ann.click('.gone button >> text=Claim the game');
    await ann.waitForSelector('.turn.won >> text=Bob left the table: you have won!');
    const { json: table } = await server.api(`/tables/${code}`);
    check(table.over && table.result.why === 'left' && table.result.winners.join() === '0', JSON.stringify(table.result));
    check((await ann.$('.gone')) === null, 'it is offered again');
    checkNoMistakes(ann);
    await ann.context().close();
}

async function botPlaysOn(size) {
    const { ann, code, token, bob } = await leftAlone(size);
    await ann.click('.gone button >> text=Let a bot play on');
    await ann.waitForSelector('.gone >> text=A bot plays for Bob until they are back.');
    await ann.waitForSelector('.turn.mine');
    const { json: table } = await server.api(`/tables/${code}`, undefined, token);
    check(table.seats[1].name === 'Bob' && table.seats[1].kind === 'person', 'Bob has lost his seat');
    await server.api(`/tables/${code}`, undefined, bob); // he is back
    await ann.waitForSelector('.gone', { state: 'detached' });
    checkNoMistakes(ann);
    await ann.context().close();
}

/** A box in the dialog: nobody has to ask for the bot. */
async function botComesByItself(size) {
    const ann = await openWindow(browser, sized(size));
    await ann.goto(server.url);
    await ann.click('[data-game="paper-soccer"] .buttons button >> nth=1');
    await ann.waitForSelector('#new-table[open]');
    await ann.check('#new-table label.check >> text=A bot plays on for who is gone');
    await ann.click('#new-table button.primary');
    await ann.waitForSelector('main.table');
    const code = new URL(ann.url()).pathname.split('/').pop();
    const { json: table } = await server.api(`/tables/${code}`);
    check(table.absent_bot === 3, `the table has ${table.absent_bot}`);
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob' });
    const other = await openWindow(browser);
    await other.goto(server.url);
    await other.evaluate(
        ([code, seat, token]) => localStorage.setItem('parlor.tickets', JSON.stringify({ [code]: { seat, token } })),
        [code, bob.seat, bob.token],
    );
    await other.goto(`${server.url}/t/${code}`);
    await other.waitForSelector('main.table .turn');
    await ann.waitForSelector('.turn.mine');
    await ann.click('.drawing [data-actions]');
    await other.waitForSelector('.turn.mine');
    await other.context().close();
    await ann.waitForSelector('.turn.mine');
    await ann.waitForSelector('.gone >> text=A bot plays for Bob until they are back.');
    checkNoMistakes(ann);
    await ann.context().close();
}

/** Left as it is, the game is the first thing in the lobby of its player; others do not see a table at which nobody is. */
async function leftAsItIs(size) {
    const { ann, code } = await leftAlone(size);
    await ann.click('.gone button >> text=Leave it for now');
    await ann.waitForFunction((code) => document.querySelector('main section')?.textContent.includes(code), code);
    const first = await ann.textContent('main section h2');
    check(first.startsWith('Your games'), `the first thing in the lobby is: ${first}`);
    check(await isInSight(ann, 'main section .row, main section li'), 'the own game is out of sight');
    const stranger = await openWindow(browser, sized(size));
    await stranger.goto(server.url);
    await stranger.waitForSelector('[data-game]');
    await stranger.waitForFunction((code) => !document.querySelector('main').textContent.includes(code), code);
    for (const page of [ann, stranger]) {
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** The address is good once: the second device has the seat, a third one is told why not, and the address keeps nothing. */
async function otherDevice(size) {
    const desk = await openWindow(browser);
    const { code } = await openTable(server, desk, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 }, bots: [{ seat: 1, level: 1 }] });
    await desk.waitForSelector('.turn.mine');
    await desk.click('.commands button >> text=Play on another device');
    await desk.waitForSelector('.device .qr');
    const address = await desk.textContent('.device .address');
    check(/\/t\/[A-Z0-9]+#seat=[0-9a-f]{32}$/.test(address), `the address is ${address}`);
    const phone = await openWindow(browser, sized(size));
    const asked = [];
    phone.on('request', (request) => asked.push(request.url()));
    await phone.goto(address);
    await phone.waitForSelector('.turn.mine');
    check(new URL(phone.url()).hash === '', 'the address still has the secret');
    check(!asked.some((url) => url.includes(address.slice(-32)) && !url.includes('#')), 'the secret was part of a request');
    await phone.click('.drawing [data-actions]');
    await desk.waitForFunction(() => document.querySelectorAll('.log li.action').length > 0);
    const third = await openWindow(browser, sized(size));
    await third.goto(address);
    await third.waitForSelector('[role=alert] >> text=This address has been used, or is too old.');
    await third.waitForSelector('main.table .turn:not(.mine)');
    const { json: table } = await server.api(`/tables/${code}`);
    check(table.version > 0, 'the table is not there');
    for (const page of [desk, phone, third]) {
        checkNoMistakes(page);
        await page.context().close();
    }
}

const failed = await runCases([
    ...[PHONE, DESK].map((size) => [`the game of somebody who is gone is claimed at ${size[0]} px`, () => claimed(size)]),
    ['a bot plays on for somebody who is gone', () => botPlaysOn(DESK)],
    ['a bot plays on by itself where the table says so', () => botComesByItself(DESK)],
    ['a game that is left as it is comes first in the lobby', () => leftAsItIs(PHONE)],
    ['a seat goes to another device', () => otherDevice(PHONE)],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
