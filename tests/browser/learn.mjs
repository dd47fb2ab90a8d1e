// What helps people to learn and to look up, in a real browser: hints, the curve of a finished table, how a program joins, words for players.
//   node learn.mjs PARLOR [CASE]...
import { spawn } from 'node:child_process';
import { againstBot, check, checkNoMistakes, openBrowser, openTable, openWindow, playOn, randomFrom, runCases, Server } from './kit.mjs';

const PROTOCOLS = { ugs: 'paper-soccer', treasure: 'treasure-hunt', santorini: 'santorini', eriantys: 'eriantys', renaissance: 'renaissance' };
const LISTENERS = ['ugs', 'santorini', 'eriantys', 'renaissance'];
const server = await Server.start(process.argv[2], LISTENERS.flatMap((name) => [`--${name}`, '127.0.0.1:0']));
const browser = await openBrowser();

/** Against a bot: the question, its answer in words, its mark on the board, and one click that plays it. Against people there is no such thing. */
async function hint() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, againstBot('paper-soccer'));
    await page.click('.turn-bar button >> text=What would you play?');
    await page.waitForSelector('.advice >> text=A bot would play:');
    const told = (await server.api(`/tables/${code}/hint`, undefined, token)).json.action;
    check((await page.$$eval('.drawing .advised', (all) => all.map((one) => one.dataset.actions)))[0] === told, `not marked: ${told}`);
    await page.click('.advice button >> text=Play it');
    await page.waitForFunction(() => document.querySelector('.advice') === null);
    const played = async () => (await server.api(`/tables/${code}/journal`)).json.events.find((event) => event.kind === 'action');
    await page.waitForSelector('.log li.action');
    check((await played()).actions[0] === told, `${JSON.stringify(await played())} instead of ${told}`);
    await openTable(server, page, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const { pathname } = new URL(page.url());
    await server.api(`/tables/${pathname.split('/')[2]}/seats`, { name: 'Bob', seat: 1 });
    await page.waitForSelector('.turn.mine');
    check((await page.$('.hint-ask')) === null, 'a hint against people');
    checkNoMistakes(page);
    await page.context().close();
}

/** Why a bot would play that: what it expects for the player, how it expects the game to go on, and what it has looked at, as the API tells it, in words. */
async function reasons(locale, says) {
    const page = await openWindow(browser, { locale });
    const { code, token } = await openTable(server, page, againstBot('santorini'));
    for (let builder = 0; builder < 2; builder++) {
        await page.waitForSelector('.drawing [data-actions^=place]');
        await page.click('.drawing [data-actions^=place]');
        if (builder === 0) await page.waitForSelector('.steps');
    }
    await page.click('.steps .confirm.primary:not([disabled])');
    await page.waitForSelector('.drawing:not(:has([data-actions^=place])) [role=button]');
    const { why } = (await server.api(`/tables/${code}/hint`, undefined, token)).json;
    check(why.nodes > 0 && why.value !== null && why.line.length > 1, `the bot has no reasons: ${JSON.stringify(why)}`);
    await page.click('.hint-ask');
    await page.waitForSelector('.advice .reasons:not([open])');
    await page.click('.advice .reasons summary');
    await page.waitForSelector('.advice .reasons[open] p');
    const lines = await page.$$eval('.advice .reasons p', (all) => all.map((one) => one.textContent));
    check(lines.length === 3, `not three sentences: ${lines.join(' ')}`);
    check(lines[0].includes(`${Math.round(50 + why.value / 20)} %`) && says.worth.test(lines[0]), `what it expects: ${lines[0]}`);
    check(says.line.test(lines[1]) && lines[1].includes('Bot 1: '), `how it goes on: ${lines[1]}`);
    check(lines[2].includes(why.nodes.toLocaleString(locale)) && says.looked.test(lines[2]), `what it has looked at: ${lines[2]}`);
    await page.click('.advice button'); // open reasons are about that hint only
    await page.waitForFunction(() => document.querySelector('.advice') === null);
    checkNoMistakes(page);
    await page.context().close();
}

/** A hint in the middle of a turn is about the steps that are not sent yet. */
async function hintWithin() {
    const page = await openWindow(browser);
    await openTable(server, page, againstBot('santorini'));
    for (let step = 0; step < 4; step++) {
        await page.click('.hint-ask');
        await page.waitForSelector('.advice');
        const words = await page.textContent('.advice');
        await page.click('.advice button');
        await page.waitForFunction((old) => document.querySelector('.advice')?.textContent !== old, words);
        await page.waitForSelector('.turn.mine');
        if ((await page.$('.steps .confirm')) !== null) await page.click('.steps .confirm');
        await page.waitForSelector('.hint-ask:not([disabled])');
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** A finished table: who was ahead when, position by position; a click in the curve leads there. */
async function curve() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, againstBot('paper-soccer'));
    for (let turn = 0; turn < 3; turn++) {
        await page.waitForSelector('.turn.mine');
        const before = await page.getAttribute('.drawing', 'data-version');
        await page.click('.drawing .target');
        await page.waitForFunction(
            (seen) => document.querySelector('.drawing').dataset.version !== seen || document.querySelector('.steps') !== null,
            before,
        ); // a quick bot has answered before anybody looks
        if ((await page.$('.steps')) !== null) break;
    }
    await server.api(`/tables/${code}/resign`, {}, token);
    await page.click('.replay button >> text=Who was ahead when?');
    await page.waitForSelector('.worth >> text=/A bot gives .+ \\d+ % here/');
    const points = (await page.getAttribute('.curve polyline', 'points')).split(' ').length;
    check(points >= 2, `${points} points`);
    const box = await (await page.$('.curve')).boundingBox();
    await page.mouse.click(box.x + box.width * 0.4, box.y + 10);
    await page.waitForURL(/\/at\/\d+$/);
    checkNoMistakes(page);
    await page.context().close();
}

/** A table that is open for a protocol: the line that it shows is typed as it is, and somebody sits down. */
async function joinLine(protocol) {
    const page = await openWindow(browser);
    const { code } = await openTable(server, page, { game: PROTOCOLS[protocol], seats: 2, protocol, seat: { name: 'Ann', seat: 0 } });
    const line = await page.textContent('.join-line code');
    const [program, ...words] = line.split(' ');
    check(program === 'parlor', line);
    const bot = spawn(process.argv[2], words, { stdio: 'ignore' });
    const gone = new Promise((resolve) => bot.on('exit', resolve));
    try {
        await page.waitForSelector('.seats li[data-seat="1"]:not(.free)');
        const { json } = await server.api(`/tables/${code}`);
        check(json.seats[1].name === 'robin' && json.seats[1].protocol === protocol, `${line}: ${JSON.stringify(json.seats)}`);
        checkNoMistakes(page);
    } finally {
        bot.kill();
        await gone;
        await page.context().close();
    }
}

/** Every game as text: sentences with the players' names, no key of the API, in both languages. */
async function inSentences(locale) {
    const page = await openWindow(browser, { locale });
    for (const game of Object.values(PROTOCOLS)) {
        const { code, token } = await openTable(server, page, { ...againstBot(game, game === 'eriantys' ? { mode: 'expert' } : undefined), seat: { name: 'Zoe', seat: 0 } });
        await page.click('.commands button:has-text("text")');
        await page.waitForSelector('.drawing .sentences li');
        const lines = await page.$$eval('.drawing .sentences li', (all) => all.map((one) => one.textContent));
        check(lines.every((line) => /^\S.* .*[.)]$/.test(line)), `${game}: ${lines.find((line) => !/^\S.* .*[.)]$/.test(line))}`);
        const { view } = (await server.api(`/tables/${code}`, undefined, token)).json;
        const keys = [...Object.keys(view), ...Object.keys(view.seats?.[0] ?? {})].filter((key) => key.includes('-'));
        const text = await page.textContent('.drawing');
        for (const word of [...keys, 'undefined', 'null', 'NaN', '[object', 'FUCHSIA', 'servants:']) check(!text.includes(word), `${game} says ${word}: ${text}`);
        check(game === 'santorini' || text.includes('Zoe'), `${game} names nobody`);
        await page.click('.commands button:has-text("drawing"), .commands button:has-text("Als Bild")');
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** A first game with a guide: from the lobby, by clicks and moves to its third step and beyond, on after a reload, and out of it; and the signs. */
async function firstGame(game) {
    const page = await openWindow(browser);
    const random = randomFrom(7);
    await page.goto(server.url);
    await page.click(`[data-game="${game}"] .learn`);
    const step = async () => (await page.textContent('.tour small')).match(/(\d+) of (\d+)/).slice(1).map(Number);
    await page.waitForSelector('.tour');
    const count = (await step())[1];
    check(count >= 6 && count <= 12, `${count} steps`);
    for (let clicks = 0; (await step())[0] < 4; clicks++) {
        check(clicks < 200, `does not go on from step ${await step()}`);
        const next = await page.$('.tour .primary');
        if (next !== null) await next.click();
        else await playOn(page, random, 1);
    }
    const before = await page.textContent('.tour p');
    await page.reload();
    await page.waitForSelector('.tour');
    check((await page.textContent('.tour p')) === before, 'it begins anew after a reload');
    await page.click('.tour button >> text=Without a guide');
    await page.waitForSelector('.tour', { state: 'detached' });
    check((await page.$('.pointed')) === null, 'something is still pointed at');
    await page.click('.commands button >> text=How to play');
    await page.waitForSelector('.how .signs dt');
    checkNoMistakes(page);
    await page.context().close();
}

/** The dialog for a new table has a word for players for every option of every game, in both languages, and no words for developers outside the fold. */
async function wordsForPlayers(locale) {
    const page = await openWindow(browser, { locale });
    const games = (await server.api('/games')).json.games;
    await page.goto(server.url);
    for (const game of games) {
        await page.click(`[data-game="${game.name}"] .buttons button >> nth=1`);
        const told = await page.$eval('#new-table', (dialog) => {
            const fold = dialog.querySelector('.for-programs');
            const names = [...dialog.querySelectorAll('option')].filter((one) => fold === null || !fold.contains(one)).map((one) => one.textContent);
            return { text: [...dialog.querySelectorAll('label > span')].map((one) => one.textContent), names, isOpen: fold?.open };
        });
        check(told.isOpen === false, `${game.name}: what is for programs is not folded away`);
        for (const option of game.options) {
            check(!told.text.includes(option.help) && !told.text.includes(option.name), `${game.name}: ${option.name} has no word for players`);
            for (const word of option.words ?? []) check(!told.names.includes(word), `${game.name}: ${option.name} offers “${word}”`);
        }
        await page.keyboard.press('Escape');
        await page.waitForSelector('#new-table', { state: 'detached' });
    }
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases([
    ['a hint is told, marked and played, and only against bots', hint],
    ['why a bot would play that, in English', () => reasons('en', { worth: /^It gives you/, line: /^It expects the game to go on/, looked: /turns? ahead/ })],
    ['why a bot would play that, in German', () => reasons('de', { worth: /^Damit gibt er dir/, line: /^Er erwartet, dass/, looked: /Züge? voraus/ })],
    ['a hint within a turn', hintWithin],
    ['the curve of a finished table', curve],
    ...Object.keys(PROTOCOLS).map((protocol) => [`the line by which a program of ${protocol} joins`, () => joinLine(protocol)]),
    ...Object.values(PROTOCOLS).map((game) => [`a first game of ${game} with a guide`, () => firstGame(game)]),
    ['positions in sentences, in English', () => inSentences('en-GB')],
    ['positions in sentences, in German', () => inSentences('de-DE')],
    ['words for players in English', () => wordsForPlayers('en-GB')],
    ['words for players in German', () => wordsForPlayers('de-DE')],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
