// Takes the pictures of docs/images: the lobby, a table of every game in the middle of play, the editor of half maps, looking
// back, and the inspector.
//   node images.mjs PARLOR DIRECTORY
// The server's dice and the player's clicks come from fixed seeds, so that pictures change only when the page does.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openBrowser, openWindow, playOn, randomFrom, Server } from './kit.mjs';

const INSPECT_TOKEN = '00112233445566778899aabbccddeeff';
const WIDTH = 1100;
const HEIGHT = 720;
const [parlor, directory] = process.argv.slice(2);
process.env.PARLOR_INSPECT = INSPECT_TOKEN;
const server = await Server.start(parlor, ['--seed', '7']);
const browser = await openBrowser();

const GAMES = [
    { game: 'paper-soccer', clicks: 8, seed: 5 },
    { game: 'treasure-hunt', clicks: 24, seed: 3 },
    { game: 'santorini', clicks: 34, seed: 4, seats: 2 },
    { game: 'eriantys', clicks: 26, seed: 2, seats: 3, options: { mode: 'expert' }, height: 900 },
    { game: 'renaissance', clicks: 46, seed: 6, seats: 2, height: 900, colorScheme: 'dark' },
];

async function shoot(page, name) {
    await page.evaluate(() => {
        document.activeElement?.blur();
        window.scrollTo(0, 0);
        document.body.style.background = 'var(--bg)'; // a gradient makes large files
    });
    const path = join(directory, `${name}.png`);
    await page.screenshot({ path });
    spawnSync('pngquant', ['--force', '--strip', '--output', path, '256', path]); // smaller, where it is installed
    console.log(name);
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

for (const wish of GAMES) {
    const { page, code } = await table(wish);
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
await halfMap();
await inspector();
const page = await openWindow(browser, { viewport: { width: 1280, height: HEIGHT } });
await server.api('/tables', { game: 'santorini', seat: { name: 'Bea' } });
await page.addInitScript(() => localStorage.setItem('parlor.name', 'Ann'));
await page.goto(server.url);
await page.waitForSelector('.table-row');
await shoot(page, 'lobby');
await browser.close();
await server.stop();
