// What is in sight and within reach, on a phone (390 x 844, by touch) and on a desk: what is one's own, tabs, drawers, long
// maps, targets for fingers; and that only what is legal looks as if it could be chosen.
//   node phone.mjs PARLOR [CASE]...
import {
    againstBot,
    check,
    checkNoMistakes,
    openBrowser,
    openTable,
    openWindow,
    playOn,
    randomFrom,
    runCases,
    Server,
} from './kit.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1280, height: 800 } };
const SMALL_DESK = { viewport: { width: 1100, height: 720 } };
const TARGET_PX_MIN = 24;
const TARGET_PX_ROOMY = 44; // where there is room
const ROUNDING_PX = 0.5;
/** What may be smaller than that on a phone: places of a board, lines of the log and links within text. */
const CRAMPED = '.drawing [role=button], .log button, a, input[type=checkbox], input[type=range]';
const seed = Number(process.env.PARLOR_BROWSER_SEED ?? 1);
const server = await Server.start(process.argv[2], ['--seed', String(seed)]);
const browser = await openBrowser();
const games = (await server.api('/games')).json.games;

const withBots = (game, seats, options = {}) => ({
    ...againstBot(game, options),
    seats,
    bots: Array.from({ length: seats - 1 }, (_, i) => ({ seat: i + 1, level: 1 })),
});

const boxOf = (page, selector) =>
    page.$eval(selector, (one) => {
        const { top, bottom, left, right, width, height } = one.getBoundingClientRect();
        return { top, bottom, left, right, width, height };
    });

/** What is one's own, and the question, are on the screen without scrolling, and the question stays when one scrolls. */
async function ownInSight(game, own) {
    for (const options of [DESK, PHONE]) {
        const { height } = options.viewport;
        const page = await openWindow(browser, options);
        await openTable(server, page, againstBot(game));
        await page.waitForSelector('.turn.mine');
        for (const clicks of [0, 6]) {
            await playOn(page, randomFrom(seed), clicks);
            await page.waitForSelector('.turn.mine');
            if (options === PHONE) await page.click('[data-look=mine]');
            await page.evaluate(() => window.scrollTo(0, 0));
            const [bar, board] = [await boxOf(page, '.turn'), await boxOf(page, own)];
            check(bar.top >= 0 && bar.bottom < height / 4, `the question is at ${bar.top} to ${bar.bottom}`);
            check(board.top >= bar.bottom && board.top < height / 2, `the own board begins at ${board.top} of ${height}`);
        }
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 3));
        const { top, bottom } = await boxOf(page, '.turn');
        check(top >= 0 && bottom < height, `the question is at ${top} after scrolling`);
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** In the page: the tab that is shown, those that are marked, and whether there is something to choose in the one that is shown, or above all. */
function tabsNow() {
    const isChoice = (one) => !one.disabled && one.dataset.look === undefined;
    const choices = (selector) => [...document.querySelectorAll(selector)].filter(isChoice).length;
    return {
        shown: document.querySelector('.tabs [aria-selected=true]').dataset.look,
        marked: [...document.querySelectorAll('.tabs .open')].map((tab) => tab.dataset.look),
        inside: choices('.tab-panel [role=button], .tab-panel button'),
        above: choices('.panel.choice:not(.tab-panel *) button, .finish button, .steps .confirm'),
    };
}

/** Whoever is to move sees something to choose, or the mark of the tab that has it; the marks tell the truth. */
async function tabsLead(game) {
    const page = await openWindow(browser, PHONE);
    await openTable(server, page, againstBot(game));
    const random = randomFrom(seed);
    const seen = new Set();
    for (let step = 0; step < 9; step++) {
        await page.waitForSelector('.turn.mine, .outcome');
        if ((await page.$('.outcome')) !== null) break;
        const first = await page.evaluate(tabsNow);
        check(first.above > 0 || first.inside > 0 || first.marked.length > 0, `step ${step}: nothing to choose is in sight: ${JSON.stringify(first)}`);
        for (const key of await page.$$eval('.tabs button', (tabs) => tabs.map((tab) => tab.dataset.look))) {
            await page.click(`[data-look=${key}]`);
            await page.waitForSelector(`[data-look=${key}][aria-selected=true]`);
            const now = await page.evaluate(tabsNow);
            check(now.marked.includes(key) === now.inside > 0, `step ${step}: ${key} has ${now.inside} choices, marked are ${now.marked}`);
            if (now.inside > 0) seen.add(key);
        }
        check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `step ${step}: wider than the phone`);
        await page.click('[data-look=others]'); // from where there is never anything to choose
        await playOn(page, random, 2);
    }
    check(seen.has('mine') && seen.has('table') && !seen.has('others'), `there was something to choose in: ${[...seen]}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** Boards of others are drawers: closed, they tell what matters in a line, open by a tap and stay open. */
async function othersInDrawers(game) {
    for (const options of [DESK, PHONE]) {
        const page = await openWindow(browser, options);
        await openTable(server, page, withBots(game, 3));
        await page.waitForSelector('.turn.mine');
        if (options === PHONE) await page.click('[data-look=others]');
        await page.waitForSelector('.drawer');
        const drawers = await page.$$eval('.drawer', (all) => all.map((one) => [one.open, one.querySelector('summary').innerText]));
        check(drawers.length === 2 && drawers.every(([isOpen]) => !isOpen), `drawers are: ${JSON.stringify(drawers)}`);
        check(drawers.every(([, text]) => text.includes('Bot 1')), `they say: ${drawers.map(([, text]) => text)}`);
        check(!(await page.isVisible('.drawer .picture')), 'a board is in sight in a closed drawer');
        await page.click('.drawer summary');
        await page.waitForSelector('.drawer[open] .picture', { state: 'visible' });
        if (options === DESK) {
            await playOn(page, randomFrom(seed), 2);
            check((await page.$$('.drawer[open]')).length === 1, 'it has closed by itself');
        }
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** A table of Treasure Hunt whose halves lie side by side: chance decides. */
async function openLongMap(page) {
    for (let tries = 0; tries < 40; tries++) {
        const { code } = await openTable(server, page, againstBot('treasure-hunt'));
        await page.waitForSelector('.turn.mine');
        const { json: table } = await server.api(`/tables/${code}`);
        if (table.view.map[0].length === 20) return;
    }
    throw new Error('no map of 40 was long');
}

/** A long map fits a phone as a whole, with the surroundings of the avatar below it, large enough for fingers. */
async function longMapOnPhone() {
    const page = await openWindow(browser, PHONE);
    await openLongMap(page);
    for (let step = 0; step < 4; step++) {
        await page.waitForSelector('.turn.mine');
        const whole = await boxOf(page, '.overview');
        check(whole.left >= 0 && whole.right <= 390 && whole.width > 350, `the whole map is at ${whole.left} to ${whole.right}`);
        check((await page.$$('.overview .field')).length === 100, 'the overview is not the whole map');
        const { near, own, field, map } = await page.evaluate(() => {
            const box = (selector) => document.querySelector(selector).getBoundingClientRect();
            const parts = { near: box('.overview .near'), own: box('.overview .avatar.seat-0'), map: box('.hunt:not(.overview)'), field: box('.hunt:not(.overview) .field') };
            return Object.fromEntries(Object.entries(parts).map(([name, { left, right, width, bottom }]) => [name, { left, right, width, bottom }]));
        });
        check(own.left >= near.left && own.right <= near.right, 'the avatar is not in the part that is marked');
        check(field.width >= TARGET_PX_ROOMY - ROUNDING_PX, `a field is ${field.width} pixels wide`);
        check(map.bottom < 844, `the map ends at ${map.bottom}`);
        for (const way of await page.$$('.hunt .way')) {
            const box = await way.boundingBox();
            check(box.x >= 0 && box.x + box.width <= 391, `a way is at ${box.x}`);
        }
        check((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'wider than the phone');
        await playOn(page, randomFrom(seed + step), 1);
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** On a desk the map is as wide as there is room, or as high. */
async function mapFillsDesk() {
    for (const viewport of [DESK.viewport, { width: 1920, height: 1080 }]) {
        const page = await openWindow(browser, { viewport });
        await openLongMap(page);
        const [map, room] = [await boxOf(page, '.hunt'), await boxOf(page, '.drawing')];
        check(map.width >= 0.97 * room.width && map.width > 0.6 * viewport.width, `${map.width} of ${room.width} pixels are used`);
        check((await page.$('.overview')) === null, 'there is an overview where none is needed');
        checkNoMistakes(page);
        await page.context().close();
    }
}

/** In the page: every target that is smaller than wanted, in words. */
function smallTargets([least, roomy, cramped]) {
    return [...document.querySelectorAll('a[href], button, [role=button], input, select, textarea, summary')]
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ one, box }) => box.width > 0 && one.checkVisibility() && one.closest('.skip') === null)
        .filter(({ one, box }) => Math.min(box.width, box.height) < (one.matches(cramped) ? least : roomy))
        .map(({ one, box }) => `${one.getAttribute('aria-label') ?? one.innerText ?? one.tagName} (${one.className.baseVal ?? one.className}) ${Math.round(box.width)} x ${Math.round(box.height)}`);
}

async function checkTargets(page, what, isPhone) {
    const roomy = isPhone ? TARGET_PX_ROOMY : TARGET_PX_MIN;
    const small = await page.evaluate(smallTargets, [TARGET_PX_MIN - ROUNDING_PX, roomy - ROUNDING_PX, CRAMPED]);
    check(small.length === 0, `${what}: too small: ${small.join('; ')}`);
}

/** Every button, link, field and place of a board, whatever tab it is behind, at the beginning, in the middle and at the end. */
async function largeTargets(game, options) {
    const page = await openWindow(browser, options);
    const isPhone = options === PHONE;
    await openTable(server, page, withBots(game.name, Math.min(3, game.seats_max), game.name === 'eriantys' ? { mode: 'expert' } : undefined));
    for (const clicks of [0, 2, 4]) {
        await playOn(page, randomFrom(seed), clicks);
        await page.waitForSelector('.turn.mine, .outcome');
        const tabs = await page.$$eval('.tabs button', (all) => all.map((tab) => tab.dataset.look));
        for (const tab of tabs.length === 0 ? [null] : tabs) {
            if (tab !== null) await page.click(`[data-look=${tab}]`);
            await checkTargets(page, `${tab ?? 'board'} after ${clicks} clicks`, isPhone);
        }
    }
    if ((await page.$('.outcome')) === null) {
        await page.click('.commands button:has-text("Resign")');
        await page.waitForSelector('#ask[open]');
        await checkTargets(page, 'the question', isPhone);
        await page.click('#ask button.primary');
        await page.waitForSelector('.outcome');
    }
    await checkTargets(page, 'the end', isPhone);
    checkNoMistakes(page);
    await page.context().close();
}

async function largeTargetsElsewhere(options) {
    const page = await openWindow(browser, options);
    for (const path of ['/', '/archive', '/connect', '/rules/santorini', '/p/Ann', '/nowhere']) {
        await page.goto(`${server.url}${path}`);
        await page.waitForSelector(path === '/' ? '[data-game]' : 'main h1');
        await checkTargets(page, path, options === PHONE);
    }
    await page.goto(server.url);
    await page.click('[data-game="eriantys"] .buttons button >> nth=1');
    await page.waitForSelector('#new-table[open]');
    await checkTargets(page, 'the dialog', options === PHONE);
    checkNoMistakes(page);
    await page.context().close();
}

/** In the page: what looks as if it could be chosen and cannot, given what is legal. */
function falsePromises(legal) {
    const marks = [...document.querySelectorAll('.drawing :is(.aim, .glow, .spot, .push:not(.idle))')];
    const places = [...document.querySelectorAll('.drawing [data-actions], .drawing [data-action]')];
    const texts = places.flatMap((one) => (one.dataset.actions?.split('|') ?? [one.dataset.action]));
    return [
        ...marks.filter((one) => one.closest('[role=button]') === null).map((one) => `a mark without a place: ${one.getAttribute('class')}`),
        ...texts.filter((text) => !legal.includes(text)).map((text) => `not legal: ${text}`),
    ];
}

/** Nothing looks choosable that the server would refuse, in a whole game; and nothing at all when it is over. */
async function onlyLegal(game) {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, againstBot(game));
    const random = randomFrom(seed);
    let looked = 0;
    for (let turn = 0; looked < 5 && turn < 60; turn++) {
        await page.waitForSelector('.turn.mine, .outcome');
        const hasSteps = (await page.$('.steps')) !== null;
        const { json: table } = await server.api(`/tables/${code}`, undefined, token);
        if (table.over) break;
        if (!hasSteps) {
            const wrong = await page.evaluate(falsePromises, table.legal);
            check(wrong.length === 0, wrong.join('; '));
            looked++;
        }
        await playOn(page, random, 1);
    }
    check(looked > 2, `looked at ${looked} positions`);
    await server.api(`/tables/${code}/resign`, {}, token);
    await page.waitForSelector('.outcome');
    const left = await page.$$eval('.drawing [role=button], .drawing [data-action], .drawing .aim', (all) => all.length);
    check(left === 0, `${left} places look choosable after the end`);
    checkNoMistakes(page);
    await page.context().close();
}

/** Of two equal students one is chosen, and then only the table of its colour is open, besides the islands. */
async function oneStudentChosen() {
    for (const options of [DESK, PHONE]) {
        const page = await openWindow(browser, options);
        const { code, token } = await openTable(server, page, againstBot('eriantys'));
        await page.waitForSelector('.turn.mine');
        const { version } = (await server.api(`/tables/${code}`)).json;
        await server.api(`/tables/${code}/actions`, { version, actions: ['assistant 1'] }, token);
        await page.waitForSelector('.school.own [data-student]');
        const colors = await page.$$eval('.school.own [data-student]', (all) => all.map((one) => one.dataset.student));
        const twice = colors.find((color, i) => colors.indexOf(color) !== i);
        check(twice !== undefined, `seven students of five colours are ${colors}`);
        await page.click(`.school.own [data-student="${twice}"]`);
        await page.waitForSelector('.school.own .chosen');
        check((await page.$$('.school.own .chosen')).length === 1, 'both of two equal students look chosen');
        const open = await page.$$eval('.school.own [data-actions]', (all) => all.map((one) => one.dataset.actions));
        check(open.join() === `student ${twice} dining`, `open are: ${open}`);
        check((await page.$$('.school.own .row .aim')).length === 1, 'tables of other colours are marked');
        if (options === PHONE) {
            // The one that is chosen is chosen above the islands, too, and goes there by a tap.
            await page.click('[data-look=table]');
            await page.waitForSelector('.strip .chosen');
            check((await page.$$('.strip .chosen')).length === 1, 'both of two equal students look chosen above the islands');
            await page.click('.island.target >> nth=0');
            await page.waitForSelector('.steps');
        }
        checkNoMistakes(page);
        await page.context().close();
    }
}

const failed = await runCases([
    ['the own school of Eriantys is in sight', () => ownInSight('eriantys', '.school.own')],
    ['the own board of Masters of Renaissance is in sight', () => ownInSight('renaissance', '.panel.choice, .panel.own')],
    ...['eriantys', 'renaissance'].flatMap((game) => [
        [`tabs of ${game} lead to what can be chosen`, () => tabsLead(game)],
        [`boards of others are drawers in ${game}`, () => othersInDrawers(game)],
    ]),
    ['a long map fits a phone', longMapOnPhone],
    ['a long map fills a desk', mapFillsDesk],
    ...games.flatMap((game) => [
        [`targets of ${game.title} on a phone`, () => largeTargets(game, PHONE)],
        [`targets of ${game.title} on a desk`, () => largeTargets(game, game.name === 'eriantys' ? SMALL_DESK : DESK)],
        [`only what is legal looks choosable in ${game.title}`, () => onlyLegal(game.name)],
    ]),
    ['targets of the other pages on a phone', () => largeTargetsElsewhere(PHONE)],
    ['targets of the other pages on a desk', () => largeTargetsElsewhere(DESK)],
    ['of two equal students of Eriantys one is chosen', oneStudentChosen],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
