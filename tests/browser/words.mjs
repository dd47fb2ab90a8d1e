// No word is left untranslated: the words of the languages against each other, and what a German browser shows of every kind of page, panel and dialog on a phone against all words of
// the English page.
//   node words.mjs PARLOR [CASE]...
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { againstBot, check, checkNoMistakes, openBrowser, openTable, openWindow, runCases, Server } from './kit.mjs';

const WEB = new URL('../../web/', import.meta.url);
const { buildSync } = createRequire(new URL('package.json', WEB))('esbuild');
const FILES = ['', '_lessons', '_cups'];
const server = await Server.start(process.argv[2], ['--ugs', '127.0.0.1:0']);
const browser = await openBrowser();
const games = (await server.api('/games')).json.games;

/** What is the same in both languages. */
const SAME = /^(Parlor|Lobby|Code|Name|Bot|Version|Protocol|Journal|Buchholz|S\.-B\.|Swiss|Text|Log|Port|\W*)$/;

async function wordsOf(language, file) {
    const entry = new URL(`src/words/${language}${file}.ts`, WEB).pathname;
    const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
    return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Texts by where they stand. */
function leaves(value, path, out) {
    if (typeof value === 'string') out.set(path, value);
    else if (typeof value === 'function') out.set(path, null);
    else if (typeof value === 'object' && value !== null) for (const [key, one] of Object.entries(value)) leaves(one, `${path}.${key}`, out);
    return out;
}

/** The same keys with a text of its own each; short signs may be the same. */
async function everyWord() {
    const wrong = [];
    for (const file of FILES) {
        const english = leaves({ ...(await wordsOf('en', file)) }, `en${file}`, new Map());
        const german = leaves({ ...(await wordsOf('de', file)) }, `en${file}`, new Map());
        for (const [path, text] of english) {
            if (!german.has(path)) wrong.push(`${path} is missing`);
            else if (text !== null && text === german.get(path) && /[a-z]{3}.* .*[a-z]{3}/i.test(text) && !SAME.test(text)) wrong.push(`${path} is the same: ${text}`);
        }
        check(english.size > 20, `${file} has only ${english.size} words`);
    }
    check(wrong.length === 0, wrong.join('\n'));
}

/** The pieces of texts in a file of words, between what is put into them: those of at least two words. */
function pieces(language) {
    const source = FILES.map((file) => readFileSync(new URL(`src/words/${language}${file}.ts`, WEB), 'utf8')).join('\n');
    const texts = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].flatMap(([, plain, template]) => (plain ?? template).split(/\$\{[^}]*\}?/));
    return new Set(texts.map((text) => text.trim()).filter((text) => /[a-z]{2,}.* .*[a-z]{2,}/i.test(text)));
}
const ENGLISH = [...pieces('en')].filter((text) => !pieces('de').has(text));

/** In the page: everything that is said, to the eye or to the ear, a text each. */
function said() {
    const out = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) out.push(walk.currentNode.data.trim());
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [data-tip]'))
        for (const name of ['aria-label', 'title', 'placeholder', 'data-tip']) if (one.hasAttribute(name)) out.push(one.getAttribute(name));
    return [document.title, ...out.filter((text) => text !== '')];
}

/** Nothing of the English page is said, and no dialog is wider than it is. */
async function checkGerman(page, where) {
    const texts = await page.evaluate(said);
    const found = texts.filter((text) => ENGLISH.some((piece) => text.includes(piece)));
    check(found.length === 0, `${where} says: ${found.join(' | ')}`);
    const wide = await page.$$eval('dialog[open]', (all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id));
    check(wide.length === 0, `${where}: the dialog ${wide} is wider than itself`);
}

const openGerman = () => openWindow(browser, { locale: 'de-DE', viewport: { width: 390, height: 844 }, hasTouch: true });

/** The pages around the tables, and those for what there is not. */
async function germanPages() {
    const page = await openGerman();
    const { json: cup } = await server.api('/championships', { name: 'herbst', game: 'paper-soccer', format: 'swiss' });
    const { json: table } = await server.api('/tables', { ...againstBot('paper-soccer'), private: true });
    await server.api(`/tables/${table.code}/resign`, {}, table.token);
    await page.goto(server.url);
    await page.evaluate((token) => localStorage.setItem('parlor.cups', JSON.stringify({ herbst: { owner: token } })), cup.owner_token);
    for (const [path, sign, text] of [
        ['/', '[data-game]', 'Brettspiele'],
        ['/c', '.cup-form', 'Meisterschaft'],
        ['/c/herbst', '.cup-owner', 'Beginnen'],
        ['/archive', '.search', 'Spiel'],
        ['/p/Ann', 'main h1', 'Ann'],
        ['/connect', '[data-protocol]', 'Programme'],
        [`/t/${table.code}`, '.outcome', 'gewonnen'],
        [`/t/${table.code}/at/2`, '.replay', 'Stellung'],
        ['/nowhere', 'main.missing', 'Unter dieser Adresse gibt es nichts.'],
        ['/t/QQQQQ', 'main.missing', 'Es gibt keinen Tisch mit diesem Code.'],
        ['/c/nowhere', 'main h1', 'Eine Meisterschaft dieses Namens gibt es nicht.'],
    ]) {
        await page.goto(`${server.url}${path}`);
        await page.waitForSelector(`:is(${sign})`);
        await page.waitForSelector(`main >> text=${text}`, { state: 'attached' });
        await checkGerman(page, path);
    }
    checkNoMistakes(page);
    await page.context().close();
}

/** A table: its panels, its questions, its dialog, and the last steps of its guide. */
async function germanTable(game) {
    const page = await openGerman();
    await page.goto(server.url);
    await page.click(`[data-game="${game}"] .buttons button >> nth=1`);
    await page.waitForSelector('#new-table[open]');
    await page.$$eval('#new-table details', (all) => all.forEach((one) => (one.open = true)));
    await checkGerman(page, `the dialog of ${game}`);
    const { code } = await openTable(server, page, { ...againstBot(game), turn_ms: 600_000 });
    await page.waitForSelector('.turn.mine');
    await page.$$eval('.commands button', (all) => all.filter((one) => /Gerät|Datei|Spielregeln|gespielt|geht/.test(one.textContent)).forEach((one) => one.click()));
    await page.$$eval('details', (all) => all.forEach((one) => (one.open = true)));
    await checkGerman(page, game);
    await page.click('.commands button >> text=Aufgeben');
    await page.waitForSelector('#ask[open]');
    await checkGerman(page, `the question of ${game}`);
    const { lessons } = await wordsOf('de', '_lessons');
    const last = lessons[game].steps.length - 1;
    for (const step of [last - 1, last]) {
        await page.evaluate(([of, at]) => localStorage.setItem('parlor.lessons', JSON.stringify({ [of]: { step: at, from: 99 } })), [code, step]);
        await page.reload();
        await page.waitForFunction((text) => document.querySelector('.tour p')?.textContent === text, lessons[game].steps[step].say);
        await checkGerman(page, `step ${step} of the guide of ${game}`);
    }
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases([
    ['every word of every file has a German one', everyWord],
    ['nothing on the pages of a German browser is English', germanPages],
    ...games.map(({ name }) => [`nothing at a table of ${name} is English`, () => germanTable(name)]),
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
