// Takes the pictures of docs/images: the lobby, a table of every game in the middle of play, the editor of half maps, looking
// back, the inspector and a championship; and those of web/cards, which go with shared links: a board of every game, and the page's own.
//   node images.mjs PARLOR DIRECTORY CARDS
// The server's dice and the player's clicks come from fixed seeds, so that pictures change only when the page does.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openWindow, playOn, randomFrom, Server } from './kit.mjs';

const INSPECT_TOKEN = '00112233445566778899aabbccddeeff';
const WIDTH = 1100;
const HEIGHT = 720;
const CARD = { width: 1200, height: 630 }; // as page_card.h says
const [parlor, directory, cards] = process.argv.slice(2);
process.env.PARLOR_INSPECT = INSPECT_TOKEN;
const server = await Server.start(parlor, ['--seed', '7']);
const browser = await openBrowser();

const GAMES = [
    { game: 'paper-soccer', clicks: 8, seed: 5 },
    { game: 'treasure-hunt', clicks: 24, seed: 3 },
    { game: 'santorini', clicks: 34, seed: 4, seats: 2 },
    { game: 'eriantys', clicks: 26, seed: 2, seats: 3, options: { mode: 'expert' }, height: 900, card: 'svg.picture:has(.sea)' },
    { game: 'renaissance', clicks: 46, seed: 6, seats: 2, height: 900, colorScheme: 'dark', card: '.public .panel:has(.dev)' },
];

/** Few colours, where the program for that is installed. */
const shrink = (path, colours) => spawnSync('pngquant', ['--force', '--strip', '--output', path, String(colours), path]);

async function shoot(page, name) {
    await page.evaluate(() => {
        document.activeElement?.blur();
        window.scrollTo(0, 0);
        document.body.style.background = 'var(--bg)'; // a gradient makes large files
    });
    const path = join(directory, `${name}.png`);
    await page.screenshot({ path });
    shrink(path, 256);
    console.log(name);
}

/** The picture of a card: what it is about beside a board, or beside the sign of the page. */
async function card(name, title, picture) {
    const page = await openWindow(browser, { viewport: CARD });
    await page.setContent(`<style>
        body { margin: 0; width: 1200px; height: 630px; display: flex; align-items: center; background: #f6f1e7; color: #2b2620; font-family: sans-serif }
        div { width: 400px; padding: 0 30px 0 60px; flex: none }
        h1 { font-size: 60px; line-height: 1.1; margin: 0 0 24px }
        p { font-size: 40px; margin: 0; color: #6b5f50 }
        figure { margin: 0; flex: 1; height: 630px; display: flex; align-items: center; justify-content: center }
        img { max-width: 660px; max-height: 580px; border-radius: 12px }
        </style><div><h1></h1><p></p></div><figure><img></figure>`);
    await page.evaluate(
        async ([heading, line, source]) => {
            document.querySelector('h1').textContent = heading;
            document.querySelector('p').textContent = line;
            const img = document.querySelector('img');
            img.src = source;
            await img.decode();
        },
        [title, title === 'Parlor' ? 'Board games for people and programs' : 'on Parlor', picture],
    );
    const path = join(cards, `${name}.png`);
    await page.screenshot({ path });
    shrink(path, 64);
    await page.context().close();
    console.log(`card of ${name}`);
}

async function table(wish) {
    const { game, name = game, clicks, seed, seats = 2, options = {}, height = HEIGHT, colorScheme = 'light' } = wish;
    const page = await openWindow(browser, { viewport: { width: WIDTH, height }, colorScheme });
    const bots = Array.from({ length: seats - 1 }, (_, i) => ({ seat: i + 1, level: 1 }));
    const { json } = await server.api('/tables', {
        game,
        seats,
        options,
        bots,
        seat: { name: 'Ann', seat: 0 },
    });
    await page.goto(server.url);
    await page.evaluate(
        ([code, token]) => {
            localStorage.setItem('parlor.tickets', JSON.stringify({ [code]: { seat: 0, token } }));
            localStorage.setItem('parlor.name', 'Ann');
        },
        [json.code, json.token],
    );
    await page.goto(`${server.url}/t/${json.code}`);
    await page.waitForSelector('.turn.mine');
    await playOn(page, randomFrom(seed), clicks);
    await page.waitForFunction(() => document.querySelector('.outcome, .turn.mine') !== null);
    if (name !== null) await shoot(page, name);
    return { page, code: json.code };
}

/** The editor of half maps, while it is painted in. */
async function halfMap() {
    const { page } = await table({
        game: 'treasure-hunt',
        name: null,
        clicks: 0,
        seed: 1,
        options: { players: 'course' },
    });
    await page.waitForSelector('.half-editor');
    await page.click('[data-brush="W"]');
    for (const place of ['4,2', '4,3', '4,4', '3,4']) await page.click(`[data-field="${place}"]`);
    await page.waitForSelector('.verdict:not(.asking)');
    await shoot(page, 'half-map');
    await page.context().close();
}

/** Two clients of Treasure Hunt's own protocol, and a stranger who wants to move. */
async function inspector() {
    const ask = async (path, body) =>
        (await fetch(`${server.url}${path}`, body === undefined ? {} : { method: 'POST', body })).text();
    const code = /<uniqueGameID>(\w+)</.exec(await ask('/games'))[1];
    for (const name of ['ann', 'bob'])
        await ask(
            `/games/${code}/players`,
            `<playerRegistration><playerUsername>${name}</playerUsername></playerRegistration>`,
        );
    const window = await openWindow(browser, { viewport: { width: WIDTH, height: HEIGHT } });
    await window.goto(`${server.url}/t/${code}/wire`);
    await window.fill('#token', INSPECT_TOKEN);
    await window.press('#token', 'Enter');
    await window.waitForSelector('.wire-item');
    await ask(
        `/games/${code}/moves`,
        '<playerMove><uniquePlayerID>00000000-0000-4000-8000-000000000000</uniquePlayerID><move>Up</move></playerMove>',
    );
    await window.waitForSelector('.wire-item.refused');
    await shoot(window, 'inspector');
    await window.context().close();
}

/** Has those who have entered with these tokens play so many actions, at random. */
async function playSome(path, tokens, actions) {
    const { json } = await server.api(path, undefined, tokens[0]);
    const random = randomFrom(9);
    for (let done = 0; done < actions; done++)
        for (const token of tokens) {
            const { legal } = (await server.api(`/tables/${json.you.table}`, undefined, token)).json;
            if (legal.length > 0) await server.api(`/tables/${json.you.table}/actions`, { actions: [legal[Math.floor(random() * legal.length)]] }, token);
        }
}

/** A championship in the middle of it, as one who plays in it sees it. */
async function championship() {
    const name = 'autumn-cup';
    const path = `/championships/${name}`;
    const { json } = await server.api('/championships', { name, game: 'santorini', options: { gods: 'none' }, format: 'swiss', rounds: 3, turn_ms: 600_000 });
    const enter = (entrant, token) => server.api(`${path}/entrants`, entrant, token);
    const tokens = [];
    for (const person of ['Ann', 'Bea']) tokens.push((await enter({ name: person })).json.token);
    for (const bot of ['Rook', 'Knight', 'Pawn', 'Bishop']) await enter({ name: bot, bot: 1 }, json.owner_token);
    await server.api(`${path}/start`, {}, json.owner_token);
    const window = await openWindow(browser, { viewport: { width: WIDTH, height: 1190 } });
    await window.goto(server.url);
    await window.evaluate(
        ([of, token]) => {
            localStorage.setItem('parlor.cups', JSON.stringify({ [of]: { token } }));
            localStorage.setItem('parlor.name', 'Ann');
        },
        [name, tokens[0]],
    );
    await window.goto(`${server.url}/c/${name}`);
    await window.waitForSelector('.cup-own a.button');
    await playSome(path, tokens, 22);
    await window.waitForFunction(() => document.querySelectorAll('.cross td a').length === 4 && document.querySelector('.small-board svg') !== null);
    await shoot(window, 'championship');
    await window.context().close();
}

const titles = Object.fromEntries((await server.api('/games')).json.games.map(({ name, title }) => [name, title]));

for (const wish of GAMES) {
    const { page, code } = await table(wish);
    await page.$$eval('.turn-bar', (bars) => bars.forEach((bar) => (bar.style.position = 'static'))); // it would lie above the board
    const board = (await (await page.$(wish.card ?? '.drawing svg.picture')).screenshot()).toString('base64');
    await card(wish.game, titles[wish.game], `data:image/png;base64,${board}`);
    if (wish.game === 'paper-soccer') {
        await playOn(page, randomFrom(wish.seed));
        const stops = await page.$eval('.replay input', (slider) => Number(slider.max));
        await page.goto(`${server.url}/t/${code}`);
        await page.waitForSelector('.replay input');
        await page.locator('.replay input').fill(String(Math.floor(stops * 0.6)));
        await page.waitForSelector('.replay select');
        await shoot(page, 'replay');
    }
    await page.context().close();
}
const sign = readFileSync(new URL('../../web/icon.svg', import.meta.url)).toString('base64');
await card('parlor', 'Parlor', `data:image/svg+xml;base64,${sign}`);
await halfMap();
await inspector();
await championship();
const page = await openWindow(browser, { viewport: { width: 1280, height: HEIGHT } });
await server.api('/tables', { game: 'santorini', seat: { name: 'Bea' } });
await page.addInitScript(() => localStorage.setItem('parlor.name', 'Ann'));
await page.goto(server.url);
await page.waitForSelector('.table-row');
await shoot(page, 'lobby');
await browser.close();
await server.stop();
