// The page for people who do not use a mouse, do not see well, or do not see at all: names and roles as Chromium tells them to
// screen readers, the way of the Tab key and where it is, moves in words and at once, the contrast of every text,
// small screens, and the sound.
//   node access.mjs PARLOR [CASE]...
import {
    check,
    checkNoMistakes,
    isFirefox,
    openBrowser,
    openTable,
    openWindow,
    playOn,
    randomFrom,
    runCases,
    Server,
    setColours,
} from './kit.mjs';

const CONTRAST_MIN = 4.5; // of text, after WCAG 2
const CONTRAST_LARGE_MIN = 3; // of large text
const TAB_STOPS_MAX = 400;
const seed = Number(process.env.PARLOR_BROWSER_SEED ?? 1);
// The dice fall the same way each time, so that every run looks at the same positions.
const server = await Server.start(process.argv[2], ['--seed', String(seed)]);
const browser = await openBrowser();
const games = (await server.api('/games')).json.games;

/** A table of each game in the middle of play, with everything in view at once. */
async function openMiddle(game, clicks = 8, options = {}) {
    const page = await openWindow(browser, { viewport: { width: 1280, height: 2600 } });
    const seats = Math.min(game.seats_max, 2);
    const bots = Array.from({ length: seats - 1 }, (_, i) => ({ seat: i + 1, level: 1 }));
    await openTable(server, page, { game: game.name, seats, bots, options, seat: { name: 'Ann', seat: 0 } });
    await playOn(page, randomFrom(seed), clicks);
    await page.waitForSelector('.turn.mine, .outcome');
    // The log is read by itself: with it everything is there that will be.
    await page.waitForSelector((await page.$('.outcome')) === null ? '.log li' : '.log li.result');
    return page;
}

/** In the page: every text whose contrast with what lies behind it is too small, as words. */
function faintTexts([least, leastLarge]) {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const parse = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, below) => {
        const alpha = top[3];
        return [0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha)).concat(1);
    };
    const luminance = (color) => {
        const [r, g, b] = color.map((v) => (v / 255 <= 0.04045 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => {
        const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
    };
    const opacityOf = (el) => {
        let opacity = 1;
        for (let at = el; at !== null; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
        return opacity;
    };
    /** What an element paints: its background, or the fill of a shape. */
    const paintOf = (el) => {
        const style = getComputedStyle(el);
        const isShape = el instanceof SVGGeometryElement;
        const word = isShape ? style.fill : style.backgroundColor;
        if (word === 'none' || word.startsWith('url')) return [0, 0, 0, 0];
        const paint = parse(word);
        const own = isShape ? Number(style.fillOpacity) : 1;
        return [paint[0], paint[1], paint[2], paint[3] * own * opacityOf(el)];
    };
    const ground = parse(getComputedStyle(document.documentElement).getPropertyValue('--bg'));
    const backdrop = (x, y, text) => {
        const layers = [];
        const stack = document.elementsFromPoint(x, y);
        for (const el of stack.slice(Math.max(0, stack.indexOf(text)))) {
            if (el.closest('text') !== null) continue;
            const paint = paintOf(el);
            if (paint[3] > 0) layers.push(paint);
            if (paint[3] > 0.99) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), ground);
    };
    const out = [];
    const root = document.querySelector('dialog[open]') ?? document.getElementById('app'); // what is behind a dialog is dimmed
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const el = node.parentElement;
        if (node.data.trim() === '' || /^(TITLE|OPTION)$/i.test(el.tagName)) continue;
        if (el.closest('.sr, .skip, :disabled') !== null) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width === 0 || !el.checkVisibility() || box.bottom > innerHeight || box.right > innerWidth) continue;
        const scroller = el.closest('.log ol, .choices, .scroller')?.getBoundingClientRect();
        if (scroller !== undefined && (box.bottom > scroller.bottom || box.right > scroller.right)) continue;
        const style = getComputedStyle(el);
        const isDrawn = el instanceof SVGElement;
        const halo = isDrawn && style.stroke !== 'none' && parseFloat(style.strokeWidth) >= 3;
        const behind = halo ? parse(style.stroke) : backdrop(box.x + box.width / 2, box.y + box.height / 2, el);
        const ink = parse(isDrawn ? style.fill : style.color);
        ink[3] *= opacityOf(el);
        const ratio = contrast(over(ink, behind), behind);
        const scale = isDrawn ? el.getScreenCTM().a : 1;
        const size = parseFloat(style.fontSize) * scale;
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (isLarge ? leastLarge : least))
            out.push(`"${node.data.trim()}" (${el.tagName}.${el.getAttribute('class') ?? ''}) ${ratio.toFixed(2)}`);
    }
    return out;
}

async function checkContrast(page, what) {
    await page.$$eval('.drawer', (all) => all.forEach((one) => (one.open = true)));
    for (const colorScheme of ['light', 'dark']) {
        await setColours(page, colorScheme);
        await page.mouse.move(0, 0); // what is pointed at looks otherwise
        const faint = await page.evaluate(faintTexts, [CONTRAST_MIN, CONTRAST_LARGE_MIN]);
        check(faint.length === 0, `${what}, ${colorScheme}: ${[...new Set(faint)].join('; ')}`);
    }
}

/** What Chromium tells screen readers: everything that can be operated has a name, and the page has its landmarks. */
async function checkTree(page, what) {
    if (isFirefox) return; // whose driver does not tell
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    const seen = nodes.filter((node) => !node.ignored);
    const roleOf = (node) => node.role?.value ?? '';
    const operable = /^(button|link|textbox|searchbox|combobox|checkbox|slider|spinbutton|DisclosureTriangle)$/;
    const nameless = seen.filter((node) => operable.test(roleOf(node)) && !(node.name?.value ?? '').trim());
    check(nameless.length === 0, `${what}: a ${nameless.map(roleOf)} without a name`);
    for (const role of ['main', 'banner'])
        check(seen.filter((node) => roleOf(node) === role).length === 1, `${what}: not one ${role}`);
    const titles = seen.filter(
        (node) =>
            roleOf(node) === 'heading' &&
            node.properties?.some((one) => one.name === 'level' && one.value.value === 1),
    );
    check(titles.length === 1 && titles[0].name.value !== '', `${what}: ${titles.length} main headings`);
    check(seen.some((node) => operable.test(roleOf(node))), `${what}: nothing to operate`);
}

/** From 360 pixels, which is also 1440 at a zoom of 400 %, to wide: nothing sticks out. */
async function checkWidths(page, what) {
    for (const width of [360, 768, 1180, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(
            () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        );
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        check(beyond <= 0, `${what} at ${width}: ${beyond} pixels too wide`);
    }
}

/** In the page: what has the focus, and whether one can see that. */
function focusShown() {
    const el = document.activeElement;
    if (el === null || el === document.body) return null;
    const style = getComputedStyle(el);
    const probe = document.createElement('i');
    probe.style.color = 'var(--focus)';
    document.body.append(probe);
    const focus = getComputedStyle(probe).color;
    probe.remove();
    const hasOutline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    const isMarked = [el, ...el.querySelectorAll('*')].some((part) => getComputedStyle(part).stroke === focus);
    return {
        name: el.getAttribute('aria-label') ?? el.textContent.trim().slice(0, 60),
        isShown: hasOutline || isMarked,
        isInMain: el.closest('main') !== null,
    };
}

/** Tab goes once through everything that can be operated, and shows where it is. */
async function checkTabs(page, what) {
    const isFirst = await page.evaluate(() => {
        const first = document.querySelector('a[href], button, input, select, summary, [tabindex="0"]');
        first.focus();
        return first.classList.contains('skip');
    });
    check(isFirst, `${what}: the first stop does not skip to the content`);
    const wanted = await page.$$eval(
        ['a[href]', 'button', 'input', 'select', 'summary', '[tabindex="0"]'].map((one) => `main ${one}`).join(),
        (all) => all.filter((one) => !one.disabled && one.checkVisibility()).length,
    );
    let reached = 0;
    for (let stop = 0; stop < TAB_STOPS_MAX; stop++) {
        await page.keyboard.press('Tab');
        const now = await page.evaluate(focusShown);
        if (now === null) break; // round the page
        check(now.isShown, `${what}: one cannot see that the focus is on "${now.name}"`);
        if (now.isInMain) reached++;
    }
    check(reached === wanted && wanted > 0, `${what}: Tab comes to ${reached} of ${wanted} places`);
}

async function lobbyForAll() {
    const page = await openWindow(browser, { viewport: { width: 1280, height: 1400 } });
    await server.api('/tables', { game: 'santorini', seat: { name: 'Bea' } });
    await page.goto(server.url);
    await page.waitForSelector('.table-row');
    await checkTree(page, 'the lobby');
    await checkContrast(page, 'the lobby');
    await checkWidths(page, 'the lobby');
    await page.click('[data-game="eriantys"] .buttons button >> nth=1');
    await page.waitForSelector('#new-table[open]');
    check(
        await page.evaluate(() => document.activeElement.closest('#new-table') !== null),
        'the focus is not in the dialog',
    );
    await checkContrast(page, 'the dialog');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#new-table', { state: 'detached' });
    checkNoMistakes(page);
    await page.context().close();
}

async function boardForAll(game) {
    const page = await openMiddle(game);
    await checkTree(page, game.title);
    await checkContrast(page, game.title);
    await checkTabs(page, game.title);
    await checkWidths(page, game.title);
    checkNoMistakes(page);
    await page.context().close();
}

async function editorForAll() {
    const hunt = games.find((game) => game.name === 'treasure-hunt');
    const page = await openMiddle(hunt, 0, { players: 'course' });
    await page.waitForSelector('.half-editor');
    await checkTree(page, 'the editor');
    await checkContrast(page, 'the editor');
    await checkTabs(page, 'the editor');
    await checkWidths(page, 'the editor');
    checkNoMistakes(page);
    await page.context().close();
}

/** The other one's move is said in words, and whose turn it is, too. */
async function movesAreSaid() {
    const page = await openWindow(browser);
    const { code, token } = await openTable(server, page, {
        game: 'paper-soccer',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
    });
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob' });
    const play = async (whose, actions) => {
        const { status } = await server.api(`/tables/${code}/actions`, { actions }, whose);
        check(status === 200, `${actions}: ${status}`);
    };
    await page.waitForSelector('.turn.mine');
    check((await page.getAttribute('.turn', 'role')) === 'status', 'whose turn it is is not said');
    await play(token, ['N']);
    await play(bob.token, ['E']);
    await page.waitForFunction(() => document.querySelector('[aria-live]').textContent === 'Bob: right');
    await page.waitForSelector('.turn.mine');
    await play(token, ['N']);
    await play(bob.token, ['E']); // the same again is said again
    await page.waitForFunction(() => document.querySelector('[aria-live]').textContent === 'Bob: right\u00a0');
    checkNoMistakes(page);
    await page.context().close();
}

/** In the page: notes for every position that comes what the board shows in the next frame, as soon as there is a board: its drawing is loaded with the first one. */
function noteFrames() {
    window.frameNotes = [];
    const Plain = window.WebSocket;
    window.WebSocket = class extends Plain {
        constructor(...args) {
            super(...args);
            this.addEventListener('message', (event) => {
                const { type, version } = JSON.parse(event.data);
                if (type !== 'table') return;
                requestAnimationFrame(() => {
                    const drawing = document.querySelector('.drawing');
                    if (drawing !== null) window.frameNotes.push({ version, shown: Number(drawing.getAttribute('data-version')) });
                });
            });
        }
    };
}

async function movesShowAtOnce() {
    const page = await openWindow(browser);
    await page.addInitScript(noteFrames);
    const { json } = await server.api('/tables', { game: 'paper-soccer', bots: [{ seat: 1, level: 1 }] });
    await page.goto(`${server.url}/t/${json.code}`);
    await page.waitForSelector('.seats li.free button');
    await page.click('.seats li.free button');
    await playOn(page, randomFrom(seed), 6);
    await page.waitForSelector('.turn.mine, .outcome');
    await page.waitForFunction(() => window.frameNotes.length > 4);
    const late = await page.evaluate(() => window.frameNotes.filter(({ version, shown }) => !(shown >= version)));
    check(late.length === 0, `shown late: ${JSON.stringify(late)}`);
    checkNoMistakes(page);
    await page.context().close();
}

/** Two notes when it is my turn, none after the switch; and the switch is remembered. */
async function soundIsSwitched() {
    const page = await openWindow(browser);
    await page.addInitScript(() => {
        window.notes = 0;
        window.AudioContext = class {
            currentTime = 0;
            destination = {};
            resume = () => Promise.resolve();
            createGain = () => ({
                gain: {
                    setValueAtTime() {},
                    linearRampToValueAtTime() {},
                    exponentialRampToValueAtTime() {},
                },
                connect: (to) => to,
            });
            createOscillator = () => ({
                frequency: {},
                connect: (to) => to,
                start: () => window.notes++,
                stop() {},
            });
        };
    });
    const { code, token } = await openTable(server, page, {
        game: 'paper-soccer',
        seats: 2,
        seat: { name: 'Ann', seat: 0 },
    });
    await page.click('.side h1'); // browsers let nobody make a sound who was not touched
    const { json: bob } = await server.api(`/tables/${code}/seats`, { name: 'Bob' });
    const notesAre = (count) => page.waitForFunction((wanted) => window.notes === wanted, count);
    const round = async (mine, other) => {
        await page.waitForSelector('.turn.mine');
        const before = (await page.$$('.log li.action')).length;
        await page.click(`[data-actions="${mine}"]`);
        // What is in the log is played: before that Bob would be refused.
        await page.waitForFunction(
            (count) => document.querySelectorAll('.log li.action').length > count,
            before,
        );
        const { status } = await server.api(`/tables/${code}/actions`, { actions: [other] }, bob.token);
        check(status === 200, `Bob is answered ${status}`);
        await page.waitForSelector('.turn.mine');
    };
    const toggle = async (before, after) => {
        await page.click(`.tools button[aria-label="Sound is ${before}"]`);
        await page.waitForSelector(`.tools button[aria-label="Sound is ${after}"]`);
    };
    await notesAre(3); // one for Bob, who has sat down, and two because it is Ann's turn
    await toggle('on', 'off');
    await round('N', 'E');
    await toggle('off', 'on');
    await round('N', 'E');
    await notesAre(6); // one for Bob's move, two for Ann's turn; had it rung while it was off, there were more
    await toggle('on', 'off');
    await page.reload();
    await page.waitForSelector('.tools button[aria-label="Sound is off"]');
    check((await server.api(`/tables/${code}`, undefined, token)).json.view.steps === 4, 'it was not played');
    checkNoMistakes(page);
    await page.context().close();
}

const failed = await runCases([
    ['the lobby has names and contrast, from 360 pixels to wide', lobbyForAll],
    ...games.map((game) => [
        `${game.title} has names, contrast and a visible focus, from 360 pixels to wide`,
        () => boardForAll(game),
    ]),
    ['so has the editor of half maps', editorForAll],
    ['a move of the other is said in words', movesAreSaid],
    ['a move shows within a frame of its event', movesShowAtOnce],
    ['sound can be switched off', soundIsSwitched],
]);
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
