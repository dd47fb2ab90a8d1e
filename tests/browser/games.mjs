// One click to a game against a bot, for each of the games, played to the end by mouse and keyboard in a real browser.
//   node games.mjs PARLOR [CASE]...
// PARLOR_BROWSER_SEED chooses other games.
import {
    check,
    checkNoMistakes,
    codeOf,
    openBrowser,
    openWindow,
    playOn,
    randomFrom,
    runCases,
    Server,
} from './kit.mjs';

const seed = Number(process.env.PARLOR_BROWSER_SEED ?? 1);
const server = await Server.start(process.argv[2]);
const browser = await openBrowser();

async function playToTheEnd(game, open, bots) {
    const page = await openWindow(browser);
    await page.goto(server.url);
    await open(page);
    const code = await codeOf(page);
    const clicks = await playOn(page, randomFrom(seed));
    const { json: table } = await server.api(`/tables/${code}`);
    check(table.over && table.result !== null, 'the page says that it is over, the server does not');
    check(table.result.why === 'played', `it ended otherwise: ${table.result.why}`);
    const seated = table.seats.filter((seat) => seat.kind === 'bot').length;
    check(seated === bots, `${seated} bots instead of ${bots}`);
    check(clicks > 0, 'it ended without being played');
    const said = await page.textContent('.turn strong');
    check(/won|lost|draw/.test(said), `the page says: ${said}`);
    check((await page.$$('.log li.action')).length > bots, 'the log has not the actions of all');
    checkNoMistakes(page);
    console.log(`# ${game}: ${clicks} clicks, ${said} ${table.view.by ?? ''}`);
    await page.context().close();
}

const oneClick = (game) => (page) => page.click(`[data-game="${game}"] button.primary`);

/** A full table through the dialog: all seats, bots in the others, the given word of an option. */
const fullTable = (game, seats, word) => async (page) => {
    await page.click(`[data-game="${game}"] .buttons button >> nth=1`);
    const choices = page.locator('#new-table select');
    await choices.nth(1).selectOption(String(seats));
    for (let seat = 1; seat < seats; seat++) await choices.nth(2 + seat).selectOption('1');
    if (word !== undefined) await choices.nth(2 + seats).selectOption(word);
    await page.click('#new-table button.primary');
};

const games = (await server.api('/games')).json.games;

async function allAreOffered() {
    const page = await openWindow(browser);
    await page.goto(server.url);
    await page.waitForSelector('[data-game]');
    const offered = await page.$$eval('[data-game]', (cards) => cards.map((card) => card.dataset.game).sort());
    check(offered.join() === games.map((game) => game.name).sort().join(), `offered are ${offered}`);
    await page.context().close();
}

const failed = await runCases([
    ['all games are offered', allAreOffered],
    ...games.map((game) => [
        `one click to ${game.title}, played to the end`,
        () => playToTheEnd(game.name, oneClick(game.name), Math.max(2, game.seats_min) - 1),
    ]),
    [
        'four players of Eriantys with characters',
        () => playToTheEnd('eriantys', fullTable('eriantys', 4, 'expert'), 3),
    ],
    [
        'three players of Santorini with gods',
        () => playToTheEnd('santorini', fullTable('santorini', 3, 'choose'), 2),
    ],
    [
        'three players of Masters of Renaissance',
        () => playToTheEnd('renaissance', fullTable('renaissance', 3), 2),
    ],
    ['Masters of Renaissance alone', () => playToTheEnd('renaissance', fullTable('renaissance', 1), 0)],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
