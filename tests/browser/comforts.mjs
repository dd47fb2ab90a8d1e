// What makes a page worth coming back to, in a real browser: moves that are typed, steps that survive a reload, a QR code, files, a call when it is
// one's turn, the sound of little time, points line by line, a lobby without tables that nobody is at, rules, the archive, names, explanations, German.
//   node comforts.mjs PARLOR [CASE]...
import { againstBot, check, checkNoMistakes, fingerOn, openBrowser, openTable, openWindow, playOn, randomFrom, runCases, savedBy, Server } from './kit.mjs';
import { readQr } from './qr.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const server = await Server.start(process.argv[2]);
const browser = await openBrowser();
const games = (await server.api('/games')).json.games;

/** In the page: the modules of a code, row by row. */
function modules(svg) {
    const size = svg.viewBox.baseVal.width - 8;
    const rows = Array.from({ length: size }, () => Array(size).fill(0));
    for (const [, x, y] of svg.querySelector('path').getAttribute('d').matchAll(/M(\d+) (\d+)h1v1h-1z/g)) rows[y - 4][x - 4] = 1;
    return rows;
}

async function qrBesideAddress() {
    const page = await openWindow(browser, PHONE);
    const { code } = await openTable(server, page, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const read = readQr(await page.$eval('.share .qr', modules));
    check(read === `${server.url}/t/${code}`, `the code says: ${read}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** Moves in the words of the log and in those of the API, one and several; what is none is said and changes nothing. */
async function typedMoves() {
    const page = await openWindow(browser);
    const { code } = await openTable(server, page, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob', seat: 1 });
    await page.waitForSelector('.turn.mine');
    await page.keyboard.press('/');
    await page.keyboard.type('sideways');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert] >> text=“sideways” is not possible now.');
    check((await server.api(`/tables/${code}`)).json.view.lines.length === 0, 'something was played');
    await page.fill('.typed input', 'Up Right');
    await page.press('.typed input', 'Enter');
    await page.waitForSelector('.log >> text=up right');
    await server.api(`/tables/${code}/actions`, { actions: ['W'] }, bob.token);
    await page.waitForSelector('.turn.mine');
    await page.fill('.typed input', 'S, down right'); // bounces, then ends the turn: two steps, in both notations
    await page.press('.typed input', 'Enter');
    await page.waitForSelector('.steps, .turn:not(.mine)');
    if ((await page.$('.steps .confirm')) !== null) await page.click('.steps .confirm');
    await page.waitForFunction(() => document.querySelector('.turn.mine') === null);
    const { json } = await server.api(`/tables/${code}/journal`);
    const own = json.events.filter((event) => event.kind === 'action' && event.seat === 0).map((event) => event.actions.join(' '));
    check(own.join() === 'NE,S SE', `played were: ${own}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** A turn of which one step is chosen: after a reload it is still there, and can be undone. */
async function unsentSurvive() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, againstBot('eriantys'));
    const { json: first } = await server.api(`/tables/${code}`, undefined, token);
    await server.api(`/tables/${code}/actions`, { version: first.version, actions: ['assistant 1'] }, token);
    await page.waitForSelector('.school.own [data-student]');
    await page.click('.school.own [data-student]');
    await page.click('.archipelago [data-actions]');
    await page.waitForSelector('.steps >> text=1 step not sent yet');
    const before = await page.textContent('.drawing');
    await page.reload();
    await page.waitForSelector('.steps >> text=1 step not sent yet');
    check((await page.textContent('.drawing')) === before, 'the position is another one');
    await page.click('.steps button >> text=Undo step');
    await page.waitForSelector('.steps', { state: 'detached' });
    await page.reload();
    await page.waitForSelector('.turn.mine');
    check((await page.$('.steps')) === null, 'a step that was undone is back');
    checkNoMistakes(page);
    await page.context().close();
}

/** Whoever has asked for it is called when it is their turn while they look at something else, and not otherwise. */
async function called() {
    const page = await openWindow(browser);
    await page.context().grantPermissions(['notifications']);
    await page.addInitScript(() => {
        window.calls = [];
        window.Notification = class {
            static permission = 'granted';
            static requestPermission = async () => 'granted';
            constructor(title, { body }) {
                window.calls.push(`${title}: ${body}`);
            }
        };
    });
    const { code, token } = await openTable(server, page, { game: 'paper-soccer', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob', seat: 1 });
    await page.click('.tools button[aria-label="Call me when it is my turn"]');
    await page.waitForSelector('.tools button[aria-label="You are called when it is your turn"]');
    const around = async () => {
        await server.api(`/tables/${code}/actions`, { actions: ['N'] }, token);
        await page.waitForFunction(() => !document.title.startsWith('●'));
        await server.api(`/tables/${code}/actions`, { actions: ['N'] }, bob.token);
        await page.waitForFunction(() => document.title.startsWith('● Your turn'));
    };
    await around();
    check((await page.evaluate(() => window.calls.length)) === 0, 'somebody who looks at the page is called');
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    await around();
    const calls = await page.evaluate(() => window.calls);
    check(calls.join() === `Your turn: Paper Soccer ${code}`, `calls: ${calls}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** Ten seconds before the end of one's time it sounds, once. */
async function lowTime() {
    const page = await openWindow(browser);
    await page.addInitScript(() => {
        window.low = 0;
        const create = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () {
            const oscillator = create.call(this);
            const begin = oscillator.start;
            oscillator.start = function (...when) {
                if (this.frequency.value === 988) window.low++;
                return begin.apply(this, when);
            };
            return oscillator;
        };
    });
    await openTable(server, page, { ...againstBot('paper-soccer'), turn_ms: 13_000 });
    await page.click('.side h1');
    await page.waitForFunction(() => window.low > 0);
    await page.waitForSelector('.outcome');
    check((await page.evaluate(() => window.low)) === 3, 'it sounds more than once');
    await page.waitForSelector('.turn.lost >> text=You ran out of time: you have lost.');
    checkNoMistakes(page);
    await page.context().close();
}

/** The points of a game are explained line by line, and the lines make the sum. */
async function pointsExplained() {
    const page = await openWindow(browser);
    await openTable(server, page, againstBot('renaissance'));
    await playOn(page, randomFrom(2));
    const rows = await page.$$eval('.tally tbody tr', (all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
    );
    check(rows.length === 6, `${rows.length} lines`);
    for (const seat of [0, 1]) {
        const sum = rows.slice(0, -1).reduce((all, row) => all + row[seat], 0);
        check(sum === rows[5][seat], `${sum} is not ${rows[5][seat]}`);
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** A finished table as files: everything, the log, and the position as a drawing and as pixels. */
async function savedFiles(game) {
    const bots = [0, 1].map((seat) => ({ seat, level: 1 }));
    const { json } = await server.api('/tables', { game, seats: 2, bots, options: game === 'santorini' ? { gods: 'none' } : {} });
    const page = await openWindow(browser);
    await page.goto(`${server.url}/t/${json.code}`);
    await page.waitForSelector('.outcome');
    await page.click('.commands button >> text=Save as a file');
    const save = async (kind) => {
        const { name, bytes } = await savedBy(page, `[data-file="${kind}"]`);
        check(name === `parlor-${json.code}.${kind}`, `the file is ${name}`);
        return bytes;
    };
    const all = JSON.parse(await save('json'));
    check(all.table.code === json.code && all.events.length === all.table.version, 'the journal is not whole');
    const lines = String(await save('txt')).trim().split('\n');
    check(lines.length === all.events.length && lines.some((line) => line.includes('Bot 1: ')), `${lines.length} lines`);
    const svg = String(await save('svg'));
    const png = await save('png');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    check(png.toString('latin1', 1, 4) === 'PNG' && width > 200 && height > 200, `${width} x ${height} pixels`);
    const colors = await page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 200 });
        const paper = canvas.getContext('2d');
        paper.drawImage(image, 0, 0, 200, 200);
        const data = new Uint32Array(paper.getImageData(0, 0, 200, 200).data.buffer);
        return new Set(data).size;
    }, svg);
    check(colors > 20, `the picture has ${colors} colours`);
    checkNoMistakes(page);
    await page.context().close();
}

/** A table that everybody has left is not in the lobby; it is among the own ones of those who sat there. */
async function abandonedTables() {
    const ann = await openWindow(browser);
    const { code } = await openTable(server, ann, { game: 'santorini', seats: 2, seat: { name: 'Ann', seat: 0 } });
    const watcher = await openWindow(browser);
    await watcher.goto(server.url);
    await watcher.waitForSelector(`.lists a[href="/t/${code}"]`);
    const stored = await ann.evaluate(() => localStorage.getItem('parlor.tickets'));
    await ann.context().close();
    await watcher.waitForSelector(`.lists a[href="/t/${code}"]`, { state: 'detached' });
    await watcher.evaluate((tickets) => localStorage.setItem('parlor.tickets', tickets), stored);
    await watcher.reload();
    await watcher.waitForSelector(`.own a[href="/t/${code}"]`);
    checkNoMistakes(watcher);
    await watcher.context().close();
}

/** The rules of every game are a page, each by its number; what is no game has none. */
async function rulesPages() {
    const page = await openWindow(browser, PHONE);
    await page.goto(server.url);
    for (const game of games) {
        await page.click(`.foot a[href="/rules/${game.name}"]`);
        await page.waitForSelector('.rules #R1');
        check((await page.textContent('h1')) === `The rules of ${game.title}`, `the title is ${await page.textContent('h1')}`);
        check((await page.$$('.rules .rule')).length >= 8, 'there are hardly any rules');
        const text = await page.textContent('.rules');
        check(!/\*\*|src\/games/.test(text.replace(/`[^`]*`/g, '')), 'it is not for players');
        check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${game.title} is wider than the phone`);
        await page.goBack();
        await page.waitForSelector('.foot');
    }
    const answer = await page.goto(`${server.url}/rules/chess`);
    check(answer.status() === 404, `the rules of chess answer ${answer.status()}`);
    await page.waitForSelector('main.missing');
    checkNoMistakes(page);
    await page.context().close();
}

/** For people who write clients: every protocol with its address or that it is switched off, how to reach it, and its description a click away. */
async function connectPage() {
    const page = await openWindow(browser, PHONE);
    const { protocols, version } = (await server.api('/protocols')).json;
    await page.goto(server.url);
    await page.click('.foot a[href="/connect"]');
    await page.waitForSelector('.protocol');
    check((await page.$$('.protocol')).length === protocols.length, 'not every protocol is there');
    check((await page.textContent('main.connect')).includes(version), 'the version is not told');
    for (const { name, address, listener, page: document } of protocols) {
        const row = await page.textContent(`[data-protocol="${name}"]`);
        check(row.includes(address ?? `--${listener} off`), `${name}: ${row}`);
        await page.click(`[data-protocol="${name}"] a`);
        await page.waitForFunction(() => document.querySelectorAll('main.rules h2').length > 1);
        check(new URL(page.url()).pathname === `/docs/${document.replace('.md', '')}`, `${name} leads to ${page.url()}`);
        check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `what describes ${name} is wider than the phone`);
        await page.goBack();
        await page.waitForSelector('.protocol');
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** Every finished table can be found by game, player and date, and a name has a page with its results. */
async function archiveAndNames() {
    const page = await openWindow(browser);
    const codes = {};
    for (const [who, game] of [['Zoe Q', 'paper-soccer'], ['Zoe Q', 'santorini'], ['Yan', 'paper-soccer']]) {
        const { json: table } = await server.api('/tables', { ...againstBot(game), seat: { name: who, seat: 0 } });
        await server.api(`/tables/${table.code}/resign`, {}, table.token);
        codes[`${who} ${game}`] = table.code;
    }
    await page.goto(`${server.url}/archive`);
    const shown = (code) => page.waitForSelector(`.archive a[href="/t/${code}"]`);
    const gone = (code) => page.waitForSelector(`.archive a[href="/t/${code}"]`, { state: 'detached' });
    for (const code of Object.values(codes)) await shown(code);
    await page.fill('.search [name=player]', 'zoe');
    await gone(codes['Yan paper-soccer']);
    await page.selectOption('.search [name=game]', 'santorini');
    await gone(codes['Zoe Q paper-soccer']);
    await shown(codes['Zoe Q santorini']);
    await page.fill('.search [name=to]', '2020-01-01');
    await gone(codes['Zoe Q santorini']);
    await page.goto(`${server.url}/t/${codes['Zoe Q santorini']}`);
    await page.click('.seats a >> text=Zoe Q');
    await page.waitForURL('**/p/Zoe%20Q');
    await shown(codes['Zoe Q paper-soccer']);
    check((await page.$(`.archive a[href="/t/${codes['Yan paper-soccer']}"]`)) === null, 'a table of somebody else is among them');
    const rows = await page.$$eval('.results tbody tr', (all) => all.map((row) => row.textContent));
    check(rows.includes('Santorini001') && rows.includes('Paper Soccer001') && rows.includes('Bot 1002'), `results: ${rows.join(', ')}`);
    const answer = await page.reload();
    check(answer.status() === 200, `the page of a name answers ${answer.status()}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** A browser that prefers German gets German words, everywhere and to the end. */
async function germanWords() {
    const page = await openWindow(browser, { locale: 'de-AT' });
    await page.goto(server.url);
    await page.waitForSelector('h1 >> text=Brettspiele für Menschen und Programme');
    check((await page.getAttribute('html', 'lang')) === 'de', 'the document does not say that it is German');
    await page.click('[data-game="paper-soccer"] button.primary');
    await page.waitForSelector('.turn.mine >> text=Du bist am Zug');
    await playOn(page, randomFrom(4));
    const said = await page.textContent('.turn strong');
    check(/: du hast (gewonnen!|verloren\.)$/.test(said), `the end says: ${said}`);
    const english = await page.$$eval('button, summary, h1, h2, h3, .turn', (all) =>
        all.map((one) => one.textContent).filter((text) => /\b(the|your|you|turn|show|play|goal|position)\b/i.test(text)),
    );
    check(english.length === 0, `still English: ${english.join(' | ')}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** What something is: under the pointer, by the focus, and by a long press, which plays nothing. */
async function explanations() {
    const page = await openWindow(browser);
    await openTable(server, page, againstBot('treasure-hunt'));
    await page.waitForSelector('.turn.mine');
    const free = await page.$$eval('.field.mountain', (all) =>
        all
            .map((field) => [field, field.getBoundingClientRect()])
            .map(([field, box]) => ({ field, x: box.x + box.width / 2, y: box.y + box.height / 2 }))
            .filter(({ field, x, y }) => field.contains(document.elementFromPoint(x, y)))
            .map(({ x, y }) => ({ x, y })),
    ); // an arrow of a way to go may lie over some
    await page.mouse.move(free[0].x, free[0].y);
    await page.waitForSelector('.tip >> text=Mountain: two actions');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('.tip >> text=/^Go (up|down|left|right)/');
    checkNoMistakes(page);
    await page.context().close();
    const phone = await openWindow(browser, PHONE);
    const { code } = await openTable(server, phone, againstBot('paper-soccer'));
    await phone.waitForSelector('.turn.mine');
    const box = await (await phone.$('.drawing [data-actions]')).boundingBox();
    const at = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
    const finger = await fingerOn(phone, at[0]);
    await phone.waitForSelector('.tip');
    await finger.lift();
    await phone.waitForSelector('.turn.mine');
    check((await server.api(`/tables/${code}`)).json.view.lines.length === 0, 'a long press has played');
    await (await fingerOn(phone, at[0])).lift();
    await phone.waitForFunction(() => document.querySelectorAll('.soccer .line').length > 0);
    checkNoMistakes(phone);
    await phone.context().close();
}

const failed = await runCases([
    ['a QR code beside the address', qrBesideAddress],
    ['moves are typed in the words of the log', typedMoves],
    ['steps that were not sent survive a reload', unsentSurvive],
    ['a call when it is one’s turn', called],
    ['little time sounds', lowTime],
    ['points are explained line by line', pointsExplained],
    ...games.map((game) => [`${game.title} is saved as files`, () => savedFiles(game.name)]),
    ['tables that nobody is at leave the lobby', abandonedTables],
    ['the rules of every game are a page', rulesPages],
    ['where every protocol listens, and what describes it', connectPage],
    ['finished tables are found, and a name has its results', archiveAndNames],
    ['things are explained under the pointer, by focus and by a long press', explanations],
    ['German words for a German browser', germanWords],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
