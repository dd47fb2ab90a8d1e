// The wire inspector in a real browser, with a client of every protocol that is refused: the sentence that it was told, its request and the answer beside each
// other, what would have been legal; pings only when they are wanted; recording that begins later.
//   node inspector.mjs PARLOR [CASE]...
import { connect } from 'node:net';
import { check, checkNoMistakes, GUARD_MS, openBrowser, openTable, openWindow, runCases, Server } from './kit.mjs';

const LISTENERS = ['ugs', 'santorini', 'eriantys', 'renaissance'];
const server = await Server.start(process.argv[2], LISTENERS.flatMap((name) => [`--${name}`, '127.0.0.1:0']));
const browser = await openBrowser();

/** A client of a protocol over TCP, in texts that end as the protocol has it. */
class Client {
    constructor(protocol, end) {
        this.end = end;
        this.text = '';
        this.heard = [];
        this.waiting = null;
        this.socket = connect(Number(server.ports[protocol]), '127.0.0.1');
        this.socket.on('data', (bytes) => {
            this.text += bytes;
            for (let at = this.text.indexOf(end); at >= 0; at = this.text.indexOf(end)) {
                this.heard.push(this.text.slice(0, at + end.length));
                this.text = this.text.slice(at + end.length);
            }
            this.waiting?.();
        });
        this.socket.on('error', () => undefined);
    }

    say(message) {
        this.socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
    }

    /** Reads on until a message matches. */
    async until(pattern) {
        const deadline = Date.now() + GUARD_MS;
        for (;;) {
            while (this.heard.length > 0) {
                const message = this.heard.shift();
                if (/"type":"ping"/.test(message)) this.say({ type: 'pong' });
                const found = pattern.exec(message);
                if (found !== null) return found;
            }
            check(Date.now() < deadline, `no ${pattern}`);
            await new Promise((resolve) => {
                const guard = setTimeout(resolve, GUARD_MS);
                this.waiting = () => {
                    clearTimeout(guard);
                    resolve();
                };
            });
        }
    }

    close() {
        this.socket.destroy();
    }
}

/** Anna's table in one window, where she stays, and its inspector in another. */
async function inspected(wish, locale = 'en-GB') {
    const anna = await openWindow(browser, { locale });
    const table = await openTable(server, anna, { ...wish, seat: { name: 'Anna', seat: 0 } });
    const page = await anna.context().newPage();
    page.mistakes = anna.mistakes;
    page.on('pageerror', (error) => page.mistakes.push(error.message));
    await page.goto(`${server.url}/t/${table.code}`);
    await page.click('.commands button.to-wire');
    await page.waitForSelector('.inspector h1');
    return { page, table };
}

let clients = 0;
/** Everybody has a name of its own: whoever comes with an old one comes back to the old table. */
const newName = () => `robin${++clients}`;

/** Each: the table that Anna opens, how a client comes to it, and a request of it that is refused; gives the sentence that the client was told. */
const PROTOCOLS = {
    santorini: {
        wish: { game: 'santorini', seats: 2 },
        async refused(code, _, name = newName()) {
            const client = new Client('santorini', '\n');
            await client.until(/"type":"(askNumberOfPlayers|askNickAndDate)"/);
            client.say({ type: 'addPlayer', name, date: '1990.05.05', table: code });
            await client.until(/"type":"playerAdded","result":true,"name":"robin\d+"/);
            await client.until(/"SETUP_CARDS"/);
            client.say({ type: 'move', name, src: { i: 0, j: 0 }, dst: { i: 0, j: 1 } });
            return [client, (await client.until(/"type":"error","description":"([^"]+)"/))[1], '"move"'];
        },
    },
    eriantys: {
        wish: { game: 'eriantys', seats: 2 },
        async refused(code, _, name = newName()) {
            const client = new Client('eriantys', '\n');
            client.say({ type: 'enterGame', code });
            await client.until(/"type":"enterGame","found":true/);
            client.say({ type: 'login', name });
            await client.until(/"type":"status"/);
            client.say({ type: 'command', subtype: 'playAssistant', player: name, assistant: 11 });
            return [client, (await client.until(/"type":"error","message":"([^"]+)"/))[1], '"assistant":11'];
        },
    },
    renaissance: {
        wish: { game: 'renaissance', seats: 2 },
        async refused(code, _, name = newName()) {
            const client = new Client('renaissance', '\n');
            client.say({ type: 'loginRequest', username: name, table: code });
            const [, first, second] = await client.until(/"type":"leaderCardsRequest","leaderCards":\["(\w+)","(\w+)"/);
            check(first !== second, 'two leaders');
            client.say({ type: 'leaderCardsReply', username: name, leaderCards: [first] });
            return [client, (await client.until(/"type":"errorMessage","error":"\w+","reason":"([^"]+)"/))[1], 'leaderCardsReply'];
        },
    },
    ugs: {
        wish: { game: 'paper-soccer', seats: 2 },
        async refused(code, _, name = newName()) {
            const client = new Client('ugs', '</message>');
            client.say(`<?xml version="1.0"?><message type="playerLogin"><playerLogin nick="${name}" gameType="paper-soccer#${code}"/></message>`);
            await client.until(/<message type="gameState">/);
            client.say(`<message type="move"><gameId id="${code}"/><move><point x="0" y="1"/></move></message>`);
            return [client, (await client.until(/<message type="error">([^<]+)</))[1], '<message type="move">'];
        },
    },
    treasure: {
        wish: { game: 'treasure-hunt', seats: 2, options: { players: 'any' } },
        async refused(code, { token }, name = newName()) {
            const xml = async (path, body) => (await fetch(`${server.url}/games/${code}${path}`, { method: 'POST', body })).text();
            const entered = await xml('/players', `<playerRegistration><playerUsername>${name}</playerUsername></playerRegistration>`);
            const [, id] = /<uniquePlayerID>([^<]+)</.exec(entered);
            await server.api(`/tables/${code}/actions`, { actions: ['enter seed'] }, token);
            // Who is to move may, and then it is the other's turn: the second one is refused at the latest.
            const move = () => xml('/moves', `<playerMove><uniquePlayerID>${id}</uniquePlayerID><move>Up</move></playerMove>`);
            const first = await move();
            const answer = first.includes('<exceptionMessage>') ? first : await move();
            return [null, /<exceptionMessage>([^<]+)</.exec(answer)[1], '<playerMove>'];
        },
    },
};

/** The refused request on the page: what the client was told, which answer is its own, and what would have been legal. */
async function refusal(protocol) {
    const { wish, refused } = PROTOCOLS[protocol];
    const { page, table } = await inspected({ ...wish, protocol, inspect: true });
    const [client, sentence, request] = await refused(table.code, table);
    try {
        check(/^\S+ .+ \S+$/.test(sentence), `no sentence: ${sentence}`);
        await page.waitForSelector('.wire-item.in .told');
        const item = await page.$eval('.wire-item:has(.told)', (one) => ({
            text: one.querySelector('pre').textContent,
            told: one.querySelector('.told').textContent,
            answered: one.querySelector('.answered')?.textContent ?? '',
            number: one.querySelector('.number').textContent,
        }));
        check(item.text.includes(request), `another request is said to be refused: ${item.text}`);
        check(item.told === `The client was told: ${sentence}`, `${item.told} instead of ${sentence}`);
        const [, number] = /answered by no\. (\d+), after \d+ ms/.exec(item.answered) ?? [];
        check(number !== undefined, `no answer beside no. ${item.number}`);
        const { items } = (await server.api(`/tables/${table.code}/wire`, undefined, table.owner_token)).json;
        const asked = items.find((one) => `no. ${one.n}` === item.number);
        const answer = items.find((one) => String(one.n) === number);
        check(asked.direction === 'in' && answer.direction === 'out' && answer.n > asked.n && answer.seat === asked.seat, `${item.number} and ${number}`);
        const between = items.filter((one) => one.n > asked.n && one.n < answer.n && one.seat === asked.seat && one.direction === 'out');
        check(between.every((one) => /"ping"/.test(one.text)), `something was told before: ${JSON.stringify(between)}`);
        if (asked.seat !== null) await page.waitForSelector('.wire-item:has(.told) .legal');
        checkNoMistakes(page);
    } finally {
        client?.close();
        await page.context().close();
    }
}

/** A move that would have been legal is among those that are listed, in German as well. */
async function legal(locale, word) {
    const { page, table } = await inspected({ game: 'eriantys', seats: 2, protocol: 'eriantys', inspect: true }, locale);
    const client = new Client('eriantys', '\n');
    const name = newName();
    client.say({ type: 'enterGame', code: table.code });
    client.say({ type: 'login', name });
    await client.until(/"type":"status"/);
    client.say({ type: 'command', subtype: 'playAssistant', player: name, assistant: 2 });
    await client.until(/"type":"error"/);
    await page.waitForSelector('.legal p');
    check((await page.textContent('.legal p')).includes(word[0]), `out of turn: ${await page.textContent('.legal p')}`);
    await server.api(`/tables/${table.code}/actions`, { actions: [(await server.api(`/tables/${table.code}`, undefined, table.token)).json.legal[0]] }, table.token);
    await client.until(/"activeUser":"robin\d+"/);
    client.say({ type: 'command', subtype: 'refill', player: name, cloud: 0 });
    await client.until(/"type":"error"/);
    await page.waitForSelector('.legal li');
    const { json } = await server.api(`/tables/${table.code}`, undefined, table.token);
    const listed = await page.$$eval('.legal', (all) => [...all[0].querySelectorAll('li')].map((one) => one.textContent));
    check(listed.length === 9 && json.turn[0] === 1, `nine assistants were left: ${listed}`);
    check((await page.textContent('.legal p')).includes(word[1]), await page.textContent('.legal p'));
    checkNoMistakes(page);
    client.close();
    await page.context().close();
}

/** Pings are there, and are shown only to who asks for them. */
async function pings(protocol) {
    const { page, table } = await inspected({ ...PROTOCOLS[protocol].wish, protocol, inspect: true });
    const [client] = await PROTOCOLS[protocol].refused(table.code, table);
    const recorded = async () => (await server.api(`/tables/${table.code}/wire`, undefined, table.owner_token)).json.items;
    const isPing = (item) => /"type":"p[io]ng"/.test(item.text);
    let items = [];
    for (const deadline = Date.now() + GUARD_MS; items.filter(isPing).length < 2; items = await recorded()) {
        check(Date.now() < deadline, 'no ping was recorded');
        await client.until(/"type":"ping"/); // which the client answers
    }
    const others = items.filter((item) => !isPing(item)).length;
    const shown = () => page.$$eval('.wire-item pre', (all) => all.map((one) => one.textContent));
    await page.waitForFunction((count) => document.querySelectorAll('.wire-item').length >= count, others);
    check(!(await shown()).some((text) => /p[io]ng/.test(text)), 'pings are shown');
    await page.check('.controls label:has-text("Pings") input');
    await page.waitForFunction(() => [...document.querySelectorAll('.wire-item pre')].some((one) => /"type":"ping"/.test(one.textContent)));
    await page.uncheck('.controls label:has-text("Pings") input');
    await page.waitForFunction(() => ![...document.querySelectorAll('.wire-item pre')].some((one) => /"type":"ping"/.test(one.textContent)));
    checkNoMistakes(page);
    client.close();
    await page.context().close();
}

/** A table for players of the Universal Game System that was opened without: its owner switches recording on, on the page. */
async function later() {
    const { page, table } = await inspected({ game: 'paper-soccer', seats: 2, protocol: 'ugs' });
    const client = new Client('ugs', '</message>');
    client.say(`<?xml version="1.0"?><message type="playerLogin"><playerLogin nick="${newName()}" gameType="paper-soccer"/></message>`);
    await client.until(/<message type="gameState">/);
    await page.click('.inspector button >> text=Record from now on');
    await page.waitForSelector('.inspector >> text=Nothing has passed yet.');
    await server.api(`/tables/${table.code}/actions`, { actions: ['N'] }, table.token);
    await client.until(/<nextPlayer nick="robin\d+"\/>/);
    client.say(`<message type="move"><gameId id="${table.code}"/><move><point x="5" y="5"/></move></message>`);
    await page.waitForSelector('.wire-item.refused .why');
    await page.waitForSelector('.wire-item.refused .legal li');
    const why = await page.textContent('.wire-item.refused .why');
    check(/paper-soccer R\d/.test(why), why);
    const moves = await page.$$eval('.wire-item.refused .legal li', (all) => all.map((one) => one.textContent));
    check(moves.length >= 1 && moves.every((move) => /^[NESW]{1,2}$/.test(move)), `${moves}`);
    client.close();
    // Who does not hold the token is asked for it, and a wrong one is refused.
    const stranger = await openWindow(browser);
    await stranger.goto(`${server.url}/t/${table.code}/wire`);
    await stranger.fill('#token', '0'.repeat(32));
    await stranger.press('#token', 'Enter');
    await stranger.waitForSelector('.banner >> text=not the token');
    check((await stranger.$('.wire-item')) === null, 'a stranger sees what was said');
    checkNoMistakes(page);
    checkNoMistakes(stranger);
    await stranger.context().close();
    await page.context().close();
}

const failed = await runCases([
    ...Object.keys(PROTOCOLS).map((protocol) => [`a refused client of ${protocol}: sentence, answer, what was legal`, () => refusal(protocol)]),
    ['what would have been legal, in English', () => legal('en-GB', ['not this seat', '9 were legal'])],
    ['what would have been legal, in German', () => legal('de-DE', ['nicht am Zug', '9 waren damals erlaubt'])],
    ...['santorini', 'eriantys', 'renaissance'].map((protocol) => [`pings of ${protocol} when they are wanted`, () => pings(protocol)]),
    ['recording is switched on by who holds the token', later],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
