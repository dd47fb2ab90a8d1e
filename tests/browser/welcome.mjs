// How people come to a table and back to it, in a real browser: an invitation, copying its address over plain HTTP, the level of the bot,
// a simple game of Santorini, games of one's own in the lobby.
//   node welcome.mjs PARLOR [CASE]...
import {
    againstBot,
    axeLines,
    axeScript,
    check,
    checkNoMistakes,
    codeOf,
    openBrowser,
    openTable,
    openWindow,
    PLAIN_HOST,
    runCases,
    Server,
} from './kit.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const server = await Server.start(process.argv[2], ['--host', 'parlor.test']);
const browser = await openBrowser();
const games = (await server.api('/games')).json.games;

/** In the page: whether an element is within the window as it is first shown. */
const isAboveFold = (element) => {
    const box = element.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= window.innerHeight && box.width > 0;
};

async function invited(game) {
    const { json: table } = await server.api('/tables', {
        game: game.name,
        seats: Math.max(2, game.seats_min),
        seat: { name: 'Ann', seat: 0 },
    });
    for (const options of [PHONE, {}]) {
        const page = await openWindow(browser, options);
        await page.goto(`${server.url}/t/${table.code}`);
        const button = await page.waitForSelector('.invitation');
        check((await button.textContent()) === 'Ann invites you: play', `it says: ${await button.textContent()}`);
        check(await button.evaluate(isAboveFold), 'the invitation is below the fold');
        const first = await page.evaluate(
            () => document.querySelector('main button') === document.querySelector('.invitation'),
        );
        check(first, 'the invitation is not the first thing on the page');
        if (options !== PHONE) {
            await button.click();
            await page.waitForSelector('.invitation', { state: 'detached' });
            await page.waitForFunction(() => document.querySelector('.seats').textContent.includes('you'));
        }
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** Plain HTTP under a name that is not this machine's own: no clipboard there, but the address is copied. */
async function copiedWithoutSecurity() {
    const page = await openWindow(browser);
    const url = server.url.replace('127.0.0.1', PLAIN_HOST);
    await page.goto(url);
    check((await page.evaluate(() => window.isSecureContext)) === false, 'the context is secure after all');
    await page.click('[data-game="paper-soccer"] .buttons button >> nth=1');
    await page.click('#new-table button.primary');
    const code = await codeOf(page);
    await page.click('.share button');
    await page.waitForSelector('[role=alert] >> text=Copied');
    await page.focus('.tools .name');
    await page.fill('.tools .name', '');
    await page.keyboard.press('Control+V');
    const pasted = await page.inputValue('.tools .name');
    check(pasted !== '' && `${url}/t/${code}`.startsWith(pasted), `pasted was: ${pasted}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** The level stands on the button, is remembered, and is what one plays against. */
async function levelOfTheBot() {
    const page = await openWindow(browser, PHONE);
    await page.goto(server.url);
    await page.click('[data-game="paper-soccer"] [data-level="4"]');
    await page.reload();
    const text = await page.textContent('[data-game="paper-soccer"] button.primary');
    check(text.includes('level 4'), `the button says: ${text}`);
    const small = await page.$$eval('.levels button', (all) =>
        all.filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 24).length,
    );
    check(small === 0, 'levels are too small for a finger');
    await page.click('[data-game="paper-soccer"] button.primary');
    await page.waitForFunction(() => document.querySelector('.seats')?.textContent.includes('bot, level 4'));
    checkNoMistakes(page);
    await page.context().close();
}

/** One click, and the first thing to do is to place a builder. */
async function simpleSantorini() {
    const page = await openWindow(browser);
    await page.goto(server.url);
    await page.click('[data-game="santorini"] button.primary');
    await page.waitForSelector('.turn.mine');
    check((await page.textContent('.turn.mine')).includes('Place a builder'), `it says: ${await page.textContent('.turn')}`);
    check((await page.$('.gods')) === null, 'there are gods');
    await page.goto(server.url);
    await page.click('[data-game="santorini"] .buttons button >> nth=1');
    const gods = page.locator('#new-table select:has(option[value="choose"])');
    check((await gods.inputValue()) === 'none', 'the dialog does not begin with the simple game');
    check((await gods.textContent()).includes('who bends a rule'), 'gods are not explained');
    checkNoMistakes(page);
    await page.context().close();
}

/** With gods nobody is asked for birthdays and colours. */
async function filledIn() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, againstBot('santorini', { gods: 'choose' }));
    for (;;) {
        await page.waitForSelector('.turn.mine');
        const { json: table } = await server.api(`/tables/${code}`, undefined, token);
        if (table.view.phase === 'place' || table.view.phase === 'turn') break;
        check((await page.$('input[type=date]')) === null, 'a birthday is asked for');
        if (table.turn.includes(0) && table.legal.length > 0 && !table.legal[0].startsWith('color'))
            await server.api(`/tables/${code}/actions`, { version: table.version, actions: [table.legal[0]] }, token);
        await page.waitForFunction(
            (version) => Number(document.querySelector('.drawing').dataset.version) > version,
            table.version,
        );
    }
    const { json } = await server.api(`/tables/${code}/journal?from=1`, undefined, token);
    const own = json.events.filter((event) => event.seat === 0).flatMap((event) => event.actions);
    check(own.includes('born unknown'), `Ann did: ${own}`);
    check(own.some((text) => text.startsWith('color ')), `Ann did: ${own}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** A running game of one's own, a private one, is the first thing in the lobby; when it is over it is not. */
async function ownGamesFirst() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, { ...againstBot('paper-soccer'), private: true });
    await page.goto(server.url);
    await page.waitForSelector(`.own a[href="/t/${code}"] >> text=Your turn`);
    check(
        await page.evaluate(() => document.querySelector('main.lobby').firstElementChild.className === 'own'),
        'something else is first',
    );
    await page.click(`.own a[href="/t/${code}"]`);
    await page.waitForSelector('.turn.mine');
    await server.api(`/tables/${code}/resign`, {}, token);
    await page.waitForSelector('.outcome');
    await page.goto(server.url);
    await page.waitForSelector('.cards .card');
    check((await page.$(`.own a[href="/t/${code}"]`)) === null, 'a table that is over is still offered');
    checkNoMistakes(page);
    await page.context().close();
}

/** A clock for the whole game is chosen in words; both clocks are in sight on a phone, one of them runs, and little time is marked. */
async function clockForTheGame() {
    const page = await openWindow(browser, { ...PHONE, colorScheme: 'dark' });
    await page.goto(server.url);
    await page.click('[data-game="paper-soccer"] .buttons button >> nth=1');
    await page.locator('#new-table select:has(option[value="open"])').nth(1).selectOption('1');
    await page.locator('#new-table select:has(option[value="3+2"])').selectOption({ label: '3 min for the whole game, 2 s more with each turn' });
    await page.click('#new-table button.primary');
    const code = await codeOf(page);
    await page.waitForSelector('.turn.mine');
    const { json } = await server.api(`/tables/${code}`);
    check(json.clocks.length === 2 && json.clocks.every(({ left_ms }) => left_ms > 60_000 && left_ms <= 180_000), `clocks: ${JSON.stringify(json.clocks)}`);
    const clocks = page.locator('.clock-bar .clock');
    check((await clocks.count()) === 2 && (await clocks.first().evaluate(isAboveFold)), 'the clocks are not in sight');
    const before = await clocks.first().textContent();
    await page.waitForFunction((text) => document.querySelector('.clock-bar .clock.runs').textContent < text, before);
    await openTable(server, page, { ...againstBot('paper-soccer'), game_ms: 3000 });
    await page.waitForSelector('.clock-bar .clock.low');
    await page.evaluate(axeScript());
    const found = await page.evaluate(axeLines);
    check(found.length === 0, `axe finds:\n${found.join('\n')}`);
    await page.waitForSelector('.turn.lost >> text=You ran out of time: you have lost.');
    check((await page.$('.clock.runs')) === null, 'a clock runs after the end');
    checkNoMistakes(page);
    await page.context().close();
}

/** For programs: every protocol with the address where it really listens, those that are off, and the version. */
async function connectTellsAddresses() {
    const own = await Server.start(process.argv[2], ['--eriantys', '127.0.0.1:0']);
    const page = await openWindow(browser, PHONE);
    await page.goto(own.url);
    await page.click('a[href="/connect"]');
    await page.waitForSelector('[data-protocol]');
    const { json } = await own.api('/protocols');
    for (const { name, listener, page: described } of json.protocols) {
        const text = await page.textContent(`[data-protocol="${name}"]`);
        const port = own.ports[listener];
        check(port === undefined ? text.includes('Switched off') : text.includes(`127.0.0.1:${port}`), `${name}: ${text}`);
        check(text.includes(described), `${name}: ${text}`);
    }
    check((await page.textContent('main')).includes(`Parlor ${json.version}`), 'the version is not told');
    check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'it is wider than the phone');
    const answer = await page.reload();
    check(answer.status() === 200, `/connect answers ${answer.status()}`);
    const unknown = await page.goto(`${own.url}/no/such/page`);
    check(unknown.status() === 404, `an unknown address answers ${unknown.status()}`);
    await page.waitForSelector('main.missing >> text=There is nothing at this address.');
    checkNoMistakes(page);
    await page.context().close();
    await own.stop();
}

const failed = await runCases([
    ...games.filter((game) => game.seats_max > 1).map((game) => [`an invitation to ${game.title}`, () => invited(game)]),
    ['the page for programs tells addresses, and an unknown one is not found', connectTellsAddresses],
    ['an address is copied over plain HTTP', copiedWithoutSecurity],
    ['a clock for the whole game is chosen, runs and is marked when it is low', clockForTheGame],
    ['the level of the bot is on the button', levelOfTheBot],
    ['Santorini begins with a simple game', simpleSantorini],
    ['birthdays and colours are filled in', filledIn],
    ['a game of one’s own is the first thing in the lobby', ownGamesFirst],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
