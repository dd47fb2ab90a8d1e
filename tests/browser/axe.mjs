// axe-core finds nothing to complain about: every kind of page, light and dark, on a phone and on a desk.
//   node axe.mjs PARLOR [CASE]...
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { againstBot, check, checkNoMistakes, openBrowser, openWindow, runCases, Server } from './kit.mjs';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const server = await Server.start(process.argv[2]);
const browser = await openBrowser();

/** What each kind of page is, and what it has once it is there. */
const pages = [
    ['/', '[data-game]'],
    ['/archive', 'main h1'],
    ['/connect', 'main h1'],
    ['/rules/santorini', 'main h1'],
    ['/p/Ann', 'main h1'],
    ['/nowhere', 'main h1'],
];
const tickets = {};
for (const { name } of (await server.api('/games')).json.games) {
    const { json } = await server.api('/tables', againstBot(name));
    tickets[json.code] = { seat: json.seat, token: json.token, owner: json.owner_token };
    pages.push([`/t/${json.code}`, '.turn.mine']);
}
const [first] = Object.keys(tickets);
pages.push([`/t/${first}/at/2`, '.replay']);
const { json: waiting } = await server.api('/tables', { game: 'paper-soccer', seats: 2, seat: { name: 'Bob', seat: 0 } });
pages.push([`/t/${waiting.code}`, '.invitation']);

/** What axe says about the page as it is, each in a line. */
async function complaints(page) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

async function nothingFound(colorScheme, width) {
    const page = await openWindow(browser, { colorScheme, viewport: { width, height: 844 } });
    await page.goto(server.url);
    await page.evaluate((all) => localStorage.setItem('parlor.tickets', JSON.stringify(all)), tickets);
    const found = [];
    for (const [path, sign] of pages) {
        await page.goto(`${server.url}${path}`);
        await page.waitForSelector(sign);
        for (const line of await complaints(page)) found.push(`${path}: ${line}`);
    }
    check(found.length === 0, `axe finds:\n${found.join('\n')}`);
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases(
    ['light', 'dark'].flatMap((scheme) =>
        [390, 1280].map((width) => [`axe finds nothing, ${scheme}, ${width} px`, () => nothingFound(scheme, width)]),
    ),
);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
