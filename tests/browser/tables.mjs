// What else the page must do in a real browser: two people at one table of whom one is cut off, a watcher who learns no secret,
// looking back by address, undoing, private tables, the editor of half maps, a server that dies, the wire inspector.
//   node tables.mjs PARLOR [CASE]...
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
    check,
    checkNoMistakes,
    codeOf,
    openBrowser,
    openTable,
    openWindow,
    playOn,
    playTogether,
    randomFrom,
    runCases,
    savedBy,
    Server,
} from './kit.mjs';

const INSPECT_TOKEN = '00112233445566778899aabbccddeeff';
const HALL_CLIENT = fileURLToPath(new URL('../../clients/python/examples/ugs_player.py', import.meta.url));
const SEED_CLIENT = fileURLToPath(
    new URL('../../clients/python/examples/eriantys_client.py', import.meta.url),
);
const FIRST_LOAD_BYTES_MAX = 75 * 1000; // with the icon, and what explains the signs of a board
const seed = Number(process.env.PARLOR_BROWSER_SEED ?? 1);
process.env.PARLOR_INSPECT = INSPECT_TOKEN;
const server = await Server.start(process.argv[2], [
    '--hunt-poll-interval',
    '0',
    '--eriantys',
    '127.0.0.1:0',
    '--ugs',
    '127.0.0.1:0',
    '--move-timeout',
    '600', // a browser that is held up has not left
]);
const browser = await openBrowser();

/** A finished table of bots. */
async function finishedTable(game, seats = 2) {
    const bots = Array.from({ length: seats }, (_, seat) => ({ seat, level: 1 }));
    const { json } = await server.api('/tables', { game, seats, bots });
    const page = await openWindow(browser);
    await page.goto(`${server.url}/t/${json.code}`);
    await page.waitForSelector('.outcome');
    await page.context().close();
    return json.code;
}

async function twoAtOneTable() {
    const ann = await openWindow(browser);
    const bob = await openWindow(browser);
    await openTable(server, ann, { game: 'santorini', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const code = await codeOf(ann);
    await bob.goto(server.url);
    await bob.fill('input.name', 'Bob');
    await bob.fill('#code', code.toLowerCase());
    await bob.press('#code', 'Enter');
    await bob.click('.seats li.free button');
    await ann.waitForFunction(() => document.querySelector('.seats').textContent.includes('Bob'));
    const random = randomFrom(seed);
    await playTogether([ann, bob], random, 12);
    await bob.context().setOffline(true);
    await bob.evaluate(() => window.dispatchEvent(new Event('offline')));
    await bob.waitForSelector('.board .banner');
    await ann.waitForFunction(() => document.querySelector('.seats').textContent.includes('not connected'));
    await bob.context().setOffline(false);
    await bob.waitForSelector('.board .banner', { state: 'detached' });
    await ann.waitForFunction(() => !document.querySelector('.seats').textContent.includes('not connected'));
    await playTogether([ann, bob], random);
    for (const page of [ann, bob]) await page.waitForSelector('.outcome');
    const said = await Promise.all([ann, bob].map((page) => page.textContent('.turn strong')));
    check(
        said.some((text) => /won/.test(text)) && said.some((text) => /lost/.test(text)),
        `they say: ${said.join(' / ')}`,
    );
    const logs = await Promise.all(
        [ann, bob].map((page) => page.$$eval('.log li.action', (rows) => rows.map((row) => row.textContent))),
    );
    check(JSON.stringify(logs[0]) === JSON.stringify(logs[1]), 'the two do not have the same log');
    for (const page of [ann, bob]) {
        checkNoMistakes(page);
        await page.context().close();
    }
}

async function watcherSeesNoSecret() {
    const player = await openWindow(browser);
    const { code, token } = await openTable(server, player, {
        game: 'renaissance',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
    });
    const { json } = await server.api(`/tables/${code}`, undefined, token);
    const hand = json.view.seats[0].hand;
    check(hand.length === 4 && hand.every((id) => /^L\d{3}$/.test(id)), `the player has no hand: ${hand}`);
    const watcher = await openWindow(browser);
    const heard = [];
    watcher.on('websocket', (socket) =>
        socket.on('framereceived', (frame) => heard.push(String(frame.payload))),
    );
    watcher.on('response', async (response) => {
        if (response.url().includes('/api/')) heard.push(await response.text().catch(() => ''));
    });
    await watcher.goto(`${server.url}/t/${code}`);
    await watcher.waitForSelector('.florence');
    await playOn(player, randomFrom(seed), 8);
    await watcher.waitForFunction(() => document.querySelectorAll('.log li.action').length > 1);
    const { played, discarded } = (await server.api(`/tables/${code}`, undefined, token)).json.view.seats[0];
    const secrets = hand.filter((id) => !played.includes(id) && !discarded.includes(id)); // kept or not
    check(secrets.length >= 2 && heard.length > 0, 'nothing to compare');
    for (const id of secrets)
        check(!heard.some((text) => text.includes(id)), `the watcher was told of ${id}`);
    check(
        (await watcher.textContent('.florence')).includes('hidden leaders in hand'),
        'hidden leaders are not shown as such',
    );
    check((await watcher.$$('[data-actions], [data-action]')).length === 0, 'a watcher is offered actions');
    for (const page of [player, watcher]) {
        checkNoMistakes(page);
        await page.context().close();
    }
}

async function replayByAddress() {
    const code = await finishedTable('paper-soccer');
    const { json } = await server.api(`/tables/${code}/journal`);
    const actions = json.events.filter((event) => event.kind === 'action');
    const wanted = actions[3].version;
    const there = (await server.api(`/tables/${code}/at/${wanted}`)).json;
    const page = await openWindow(browser);
    await page.goto(`${server.url}/t/${code}/at/${wanted}`);
    await page.waitForSelector(`.drawing[data-version="${wanted}"]`);
    const lines = async () => (await page.$$('.soccer .line')).length;
    await page.waitForSelector('.replay select');
    for (const width of [360, 1180, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        check(
            (await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0,
            `the replay does not fit into ${width} pixels`,
        );
    }
    check(
        (await lines()) === there.view.lines.length,
        `${await lines()} lines instead of ${there.view.lines.length}`,
    );
    await page.waitForSelector('.replay input[type=range]');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector(`.drawing[data-version="${actions[4].version}"]`);
    check(page.url().endsWith(`/t/${code}/at/${actions[4].version}`), `the address is ${page.url()}`);
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelectorAll('.soccer .line').length === 0);
    await page.locator('.replay input[type=range]').fill('3');
    await page.waitForFunction(() => document.querySelectorAll('.soccer .line').length > 0);
    await page.goto(`${server.url}/t/${code}/at/${wanted}`);
    await page.click('.replay .buttons .primary');
    await page.waitForURL((url) => !url.pathname.includes(code) && /^\/t\/\w+$/.test(url.pathname));
    await page.waitForFunction(
        (count) => document.querySelectorAll('.soccer .line').length >= count,
        there.view.lines.length,
    );
    checkNoMistakes(page);
    await page.context().close();
}

/** Paper Soccer on from a position where a move bounces: steps are taken back, then confirmed. */
async function undoAndConfirm() {
    const page = await openWindow(browser);
    const table = await openTable(server, page, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const { json: bob } = await server.api(`/tables/${table.code}/seats`, { name: 'Bob' });
    const play = async (token, steps) => {
        const { status, json } = await server.api(`/tables/${table.code}/actions`, { actions: steps }, token);
        check(status === 200, `${steps}: ${JSON.stringify(json)}`);
    };
    await play(table.token, ['N']);
    await play(bob.token, ['E']);
    await page.waitForSelector('.turn.mine');
    const click = (text) => page.click(`[data-actions="${text}"]`);
    await click('SW'); // to the centre, which bounces
    await page.waitForSelector('.steps');
    check((await server.api(`/tables/${table.code}`)).json.view.steps === 2, 'an unsent step was played');
    await page.click('.steps button >> nth=0');
    await page.waitForSelector('.steps', { state: 'detached' });
    await click('SW');
    await page.waitForSelector('.steps');
    await page.waitForSelector('[data-actions="S"]');
    await click('S');
    await page.waitForSelector('.steps .confirm.primary');
    await page.keyboard.press('Backspace');
    await page.waitForSelector('[data-actions="SE"]');
    await click('SE');
    await page.click('.steps .confirm.primary');
    await page.waitForFunction(() => document.querySelectorAll('.log li.action').length === 3);
    const { json } = await server.api(`/tables/${table.code}`);
    check(json.view.steps === 4 && String(json.view.ball) === '1,-1', `the ball is at ${json.view.ball}`);
    checkNoMistakes(page);
    await page.context().close();
}

async function lobbyAndPrivate() {
    const ann = await openWindow(browser);
    const bob = await openWindow(browser);
    await bob.goto(server.url);
    await bob.waitForSelector('.cards .card');
    await ann.goto(server.url);
    await ann.click('[data-game="eriantys"] .buttons button >> nth=1');
    await ann.locator('#new-table select').nth(1).selectOption('3');
    await ann.locator('#new-table select').nth(3).selectOption('4');
    await ann.click('#new-table button.primary');
    const code = await codeOf(ann);
    await bob.waitForSelector(`a[href="/t/${code}"]`);
    check(
        (await bob.textContent(`a[href="/t/${code}"]`)).includes('free'),
        'the lobby does not show the free seat',
    );
    await ann.waitForSelector('.share'); // she stays there: a table that nobody is at is not in the list
    const cid = await openWindow(browser);
    await cid.goto(server.url);
    await cid.click('[data-game="eriantys"] .buttons button >> nth=1');
    await cid.locator('#new-table .check input').first().check();
    await cid.click('#new-table button.primary');
    const hidden = await codeOf(cid);
    await cid.waitForSelector('.share');
    await cid.goto(server.url);
    await cid.waitForSelector(`.own a[href="/t/${hidden}"]`); // for him it is there, among his own
    await bob.goto(server.url);
    await bob.waitForSelector(`a[href="/t/${code}"]`);
    check((await bob.$(`a[href="/t/${hidden}"]`)) === null, 'a private table is in the lobby');
    await bob.fill('#code', hidden);
    await bob.press('#code', 'Enter');
    await bob.waitForSelector('.seats li.free button');
    for (const page of [ann, bob, cid]) {
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** What a browser that was never here loads until it shows a page, compressed; and nothing comes from anywhere else. */
async function firstLoad() {
    const paths = [['/', '.cards .card']];
    for (const { name } of (await server.api('/games')).json.games) {
        const { json } = await server.api('/tables', { game: name, seats: 2, seat: { name: 'Ann', seat: 0 } });
        paths.push([`/t/${json.code}`, 'main.table .signs']);
    }
    for (const [path, sign] of paths) {
        const page = await openWindow(browser);
        const hosts = new Set();
        page.on('request', (request) => hosts.add(new URL(request.url()).host));
        await page.goto(server.url + path);
        await page.waitForSelector(sign, { state: 'attached' });
        const bytes = await page.evaluate(() =>
            [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .filter(({ name }) => !name.includes('/api/'))
                .reduce((sum, one) => sum + one.encodedBodySize, 0),
        );
        check(bytes > 30_000 && bytes < FIRST_LOAD_BYTES_MAX, `the first load of ${path} is ${bytes} bytes`);
        console.log(`# the first load of ${path} is ${bytes} bytes`);
        check(hosts.size === 1, `it loads from ${[...hosts]}`);
        checkNoMistakes(page);
        await page.context().close();
    }
}

async function serverDies() {
    const page = await openWindow(browser);
    await openTable(server, page, {
        game: 'paper-soccer',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
    });
    await playOn(page, randomFrom(seed), 1);
    await page.waitForFunction(() => document.querySelectorAll('.log li.action').length > 0);
    const before = (await page.$$('.log li.action')).length;
    await server.restart();
    await page.waitForSelector('.board .banner', { state: 'detached' });
    await page.waitForFunction(
        (count) => document.querySelectorAll('.log li.action').length >= count,
        before,
    );
    await playOn(page, randomFrom(seed));
    checkNoMistakes(page);
    await page.context().close();
}

async function titleAndKeyboard() {
    const page = await openWindow(browser);
    await openTable(server, page, {
        game: 'paper-soccer',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
    });
    await page.waitForFunction(() => document.title.includes('Your turn'));
    await page.focus('[data-actions="N"]');
    await page.keyboard.press('ArrowRight');
    check(
        (await page.evaluate(() => document.activeElement.getAttribute('data-actions'))) !== 'N',
        'arrow keys do not move among the places',
    );
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.log li.action').length > 0);
    checkNoMistakes(page);
    await page.context().close();
}

/** A Treasure Hunt client that walks into the water: the inspector explains the refusal. */
async function inspectorExplains() {
    const xml = async (path, body) => {
        const response = await fetch(
            `${server.url}${path}`,
            body === undefined
                ? {}
                : { method: 'POST', body, headers: { 'Content-Type': 'application/xml' } },
        );
        return response.text();
    };
    const code = /<uniqueGameID>(\w+)</.exec(await xml('/games'))?.[1];
    check(code !== undefined, 'no game was created');
    const enter = (name) =>
        xml(
            `/games/${code}/players`,
            `<?xml version="1.0" encoding="UTF-8"?><playerRegistration><playerUsername>${name}</playerUsername></playerRegistration>`,
        );
    const ids = [];
    for (const name of ['Ann', 'Bob']) ids.push(/<uniquePlayerID>([^<]+)</.exec(await enter(name))?.[1]);
    check(
        ids.every((id) => id !== undefined),
        'the players were not let in',
    );
    const page = await openWindow(browser);
    await page.goto(`${server.url}/t/${code}/wire`);
    await page.fill('#token', INSPECT_TOKEN);
    await page.press('#token', 'Enter');
    await page.waitForSelector('.wire-item');
    const mustAct = async (id) =>
        new RegExp(`${id}</uniquePlayerID><playerUsername>\\w+</playerUsername><state>MustAct<`).test(
            await xml(`/games/${code}/states/${id}`),
        );
    let isRefused = false;
    for (let i = 0; i < 100 && !isRefused; i++) {
        const id = (await mustAct(ids[0])) ? ids[0] : ids[1]; // both walk up, until one meets water or the edge
        const answer = await xml(
            `/games/${code}/moves`,
            `<?xml version="1.0" encoding="UTF-8"?><playerMove><uniquePlayerID>${id}</uniquePlayerID><move>Up</move></playerMove>`,
        );
        isRefused = /<state>Error</.test(answer);
    }
    check(isRefused, 'no move was refused');
    await page.waitForSelector('.wire-item.refused .why');
    check(
        /treasure-hunt R\d+/.test(await page.textContent('.wire-item.refused .why')),
        `it says: ${await page.textContent('.wire-item.refused .why')}`,
    );
    check(/was told: \S+ /.test(await page.textContent('.wire-item.refused .told')), 'what the client was told');
    check((await page.$('.wire-item.in .answered')) !== null, 'no request is paired with its answer');
    const all = (await page.$$('.wire-item')).length;
    check(
        (await page.$eval('.controls select', (select) => select.selectedOptions[0]?.textContent)) ===
            'All seats',
        'no seat is chosen, not even all',
    );
    await page.check('.controls input[type=checkbox]');
    await page.waitForFunction((count) => document.querySelectorAll('.wire-item').length < count, all);
    check((await page.$$('.wire-item:not(.refused)')).length === 0, 'the filter lets others through');
    const { name } = await savedBy(page, '.controls button >> text=Export');
    check(name.endsWith('.json'), 'nothing was exported');
    checkNoMistakes(page);
    await page.context().close();
}

/** A program that speaks the protocol of Eriantys opens a game; a person finds it in the lobby, sits down and plays it out. */
async function againstSeedClient() {
    const client = spawn(
        'python3',
        [SEED_CLIENT, '--connect', `127.0.0.1:${server.ports.eriantys}`, '--name', 'Carla'],
        { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const gone = new Promise((resolve) => client.on('exit', resolve));
    let printed = '';
    try {
        const code = await new Promise((resolve, reject) => {
            client.stdout.on('data', (bytes) => {
                printed += bytes;
                const match = /code (\w+)\n/.exec(printed);
                if (match !== null) resolve(match[1]);
            });
            client.on('exit', () => reject(new Error(`the client ended: ${printed}`)));
        });
        const page = await openWindow(browser);
        await page.goto(server.url);
        await page.click(`a[href="/t/${code}"]`);
        await page.click('.seats li.free button');
        await page.waitForSelector('.seats li.free', { state: 'detached' });
        check(
            (await page.textContent('.seats')).includes('via eriantys'),
            'the page does not say how the other one came',
        );
        await playOn(page, randomFrom(seed));
        check((await gone) === 0, `the client says: ${printed}`);
        check(/winners/.test(printed) && !/error/.test(printed), `the client says: ${printed}`);
        const { json } = await server.api(`/tables/${code}`);
        check(json.over && json.seats.every((seat) => seat.kind === 'person'), 'the table is not over');
        checkNoMistakes(page);
        await page.context().close();
    } finally {
        client.kill();
    }
}

/** A player of the Universal Game System waits alone; a person finds it in the lobby, sits down and plays it out. */
async function againstPlayerOfTheHall() {
    const page = await openWindow(browser);
    await page.goto(server.url);
    const client = spawn(
        'python3',
        [HALL_CLIENT, '--connect_to', `127.0.0.1:${server.ports.ugs}`, '--nick', 'Dora', '--games', '1'],
        { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const gone = new Promise((resolve) => client.on('exit', resolve));
    let printed = '';
    client.stdout.on('data', (bytes) => (printed += bytes));
    try {
        await page.click('a[href^="/t/"]:has-text("Dora")');
        await page.click('.seats li.free button');
        await page.waitForSelector('.seats li.free', { state: 'detached' });
        check((await page.textContent('.seats')).includes('via ugs'), 'the page does not say how the other one came');
        await playOn(page, randomFrom(seed));
        check((await gone) === 0 && /^1 games: /.test(printed), `the client says: ${printed}`);
        checkNoMistakes(page);
        await page.context().close();
    } finally {
        client.kill();
    }
}

/** A game on the generic board: everything by buttons, in words. */
async function playedAsText() {
    const page = await openWindow(browser);
    await openTable(server, page, {
        game: 'paper-soccer',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
    });
    await page.click('.commands button >> text=Show as text');
    await page.waitForSelector('.plain-board');
    check((await page.textContent('.plain-board')).includes('ball'), 'the position is not told');
    const clicks = await playOn(page, randomFrom(seed));
    check(clicks > 0 && (await page.$('.picture.soccer')) === null, 'the drawing was used');
    checkNoMistakes(page);
    await page.context().close();
}

async function resignAndRematch() {
    const page = await openWindow(browser);
    const { code } = await openTable(server, page, {
        game: 'paper-soccer',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
    });
    await page.click('.commands button >> text=Resign');
    await page.click('#ask button:not(.primary)');
    check((await page.$('.outcome')) === null, 'cancelling resigns');
    await page.click('.commands button >> text=Resign');
    await page.click('#ask button.primary');
    await page.waitForSelector('.outcome');
    check(
        /You resigned: you have lost/.test(await page.textContent('.turn')),
        `the page says: ${await page.textContent('.turn')}`,
    );
    await page.click('.outcome button >> text=Rematch');
    await page.waitForURL((url) => /^\/t\/\w+$/.test(url.pathname) && !url.pathname.includes(code));
    await page.waitForSelector('.turn.mine');
    await page.waitForFunction(() => document.querySelector('.seats').textContent.includes('bot, level 1'));
    checkNoMistakes(page);
    await page.context().close();
}

/** The delay is longer than the test: the watcher sees the beginning, and how late that is. */
async function watcherIsLate() {
    const player = await openWindow(browser);
    const { code } = await openTable(server, player, {
        game: 'paper-soccer',
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
        watch_delay_ms: 3600 * 1000,
    });
    const watcher = await openWindow(browser);
    await watcher.goto(`${server.url}/t/${code}`);
    await watcher.waitForSelector('.turn .late');
    check((await watcher.textContent('.turn .late')).includes('3600 s late'), 'the page does not say how late it is');
    await playOn(player, randomFrom(seed), 2);
    check((await player.locator('.turn .late').count()) === 0, 'a player is told to be late');
    check((await watcher.locator('.log li.action').count()) === 0, 'the watcher sees a move');
    for (const page of [player, watcher]) {
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** Half maps are too many to list: one is painted by mouse and keys, and the server says what is wrong with it. */
async function halfMapEditor() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, {
        game: 'treasure-hunt',
        seats: 2,
        options: { players: 'course' },
        seat: { name: 'Ann', seat: 0 },
        bots: [{ seat: 1, level: 1 }],
    });
    await page.waitForSelector('.half-editor .verdict.allowed'); // what it begins with is allowed
    const verdict = (kind, words) => page.waitForSelector(`.verdict.${kind}:has-text("${words}")`);
    await page.click('.half-editor button >> text=Begin with grass only');
    await verdict('refused', 'at least 5 mountains (treasure-hunt R5)');
    check(await page.isDisabled('.half-editor .primary'), 'a half against the rules can be sent');
    await page.click('[data-brush="M"]');
    for (let x = 0; x < 5; x++) await page.click(`[data-field="${2 * x},1"]`);
    await verdict('refused', 'at least 7 fields of water (treasure-hunt R7)');
    await page.focus('[data-field="8,1"]');
    for (const key of ['ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
    check(
        (await page.evaluate(() => document.activeElement.getAttribute('data-field'))) === '7,2',
        'arrow keys do not move among the fields',
    );
    for (let x = 7; x >= 1; x--) {
        await page.keyboard.press('w');
        await page.keyboard.press('ArrowLeft');
    }
    await verdict('refused', 'the fort stands on grass (treasure-hunt R9)'); // it stood in the middle
    await page.focus('[data-field="3,4"]');
    await page.keyboard.press('f');
    await verdict('allowed', 'keeps all rules');
    check(
        (await page.getAttribute('[data-field="3,4"]', 'aria-label')).includes('your fort'),
        'a screen reader is not told of the fort',
    );
    await page.click('.half-editor .primary');
    await page.waitForFunction(() =>
        document.querySelector('.log').textContent.includes('Ann: send a half of the map'),
    );
    await page.waitForSelector('.hunt .fort');
    const { json } = await server.api(`/tables/${code}`, undefined, token);
    check(
        json.view.map.join(' ').includes('GWWWWWWWGG') && json.view.map.join(' ').includes('MGMGMGMGMG'),
        `the map is ${json.view.map}`,
    );
    checkNoMistakes(page);
    await page.context().close();
}

/** Addresses that the page does not know, and one that cannot be read, with a way back. */
async function unknownAddress() {
    const page = await openWindow(browser);
    for (const path of ['/t/K7QZ2/what/ever', '/t/%E0%A4%A']) {
        await page.goto(`${server.url}${path}`);
        await page.waitForSelector('main.missing h1');
        await page.click('main.missing button');
        await page.waitForURL(`${server.url}/`);
        await page.waitForSelector('main.lobby');
    }
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases([
    ['the first load is small and comes from one place', firstLoad],
    ['the lobby shows a new table at once, and no private one', lobbyAndPrivate],
    ['two people at one Santorini table, one of them cut off and back', twoAtOneTable],
    ['a person against a program that speaks the protocol of Eriantys', againstSeedClient],
    ['a person against a player of the Universal Game System', againstPlayerOfTheHall],
    ['a watcher learns no secret', watcherSeesNoSecret],
    ['a watcher of a table with a delay is told so', watcherIsLate],
    ['a position opens by its address, moves by keys and slider, and is played on', replayByAddress],
    ['steps are undone, and confirmed', undoAndConfirm],
    ['it can be played by keyboard, and the title says whose turn it is', titleAndKeyboard],
    ['a game is played as text', playedAsText],
    ['resigning asks first, and a rematch brings the bot along', resignAndRematch],
    ['a half map is painted, checked and sent', halfMapEditor],
    ['the inspector explains a refused Treasure Hunt move', inspectorExplains],
    ['an address that nobody knows is said to be none', unknownAddress],
    ['the page goes on after the server was killed', serverDies],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
