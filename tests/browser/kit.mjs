// What the browser tests share: a server of their own, Debian's Chromium or Firefox, TAP, and a player who clicks what the page offers.
// PARLOR_BROWSER is chromium or firefox, PARLOR_BROWSER_WIDTH the width of a window in pixels and PARLOR_BROWSER_THEME light or dark, where a case does not
// say it itself.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium, firefox } = require('playwright-core');

export const PLAIN_HOST = 'parlor.test'; // another name of this machine, which no browser takes for a secure one
export const GUARD_MS = 60_000; // nothing takes so long unless it hangs
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
export const isFirefox = process.env.PARLOR_BROWSER === 'firefox';
const WIDTH_PX = Number(process.env.PARLOR_BROWSER_WIDTH ?? 1280);
const THEME = process.env.PARLOR_BROWSER_THEME ?? 'light';
const FLAGS = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--mute-audio',
    `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
];

// Firefox fetches nothing from elsewhere, and does nothing that nobody has asked for.
const PREFERENCES = {
    'app.normandy.enabled': false,
    'browser.newtabpage.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'extensions.update.enabled': false,
    'layout.css.prefers-color-scheme.content-override': 2, // as the system has it
    'media.volume_scale': '0.0',
    'network.captive-portal-service.enabled': false,
    'network.dns.localDomains': PLAIN_HOST,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'toolkit.telemetry.enabled': false,
};

/** Debian's Firefox, which is told of the colours and the motion of the system before it starts: one of each kind that is wanted. */
class FirefoxBrowser {
    running = new Map();
    home = mkdtempSync(join(tmpdir(), 'parlor-firefox-'));

    launch(isDark, isCalm) {
        return firefox.launch({
            channel: 'moz-firefox',
            executablePath: FIREFOX,
            env: { ...process.env, HOME: this.home, MOZ_CRASHREPORTER_DISABLE: '1' },
            firefoxUserPrefs: { ...PREFERENCES, 'ui.systemUsesDarkTheme': isDark ? 1 : 0, 'ui.prefersReducedMotion': isCalm ? 1 : 0 },
        });
    }

    async newContext({ colorScheme, reducedMotion, ...options }) {
        const look = [colorScheme === 'dark', reducedMotion === 'reduce'];
        const kind = look.join();
        if (!this.running.has(kind)) this.running.set(kind, this.launch(...look));
        return (await this.running.get(kind)).newContext(options);
    }

    async close() {
        for (const one of this.running.values()) await (await one).close();
        rmSync(this.home, { recursive: true, force: true });
    }
}

/** The server, with a data directory that goes with it. */
export class Server {
    static async start(parlor, args = []) {
        const server = new Server();
        server.parlor = parlor;
        server.args = args;
        server.data = mkdtempSync(join(tmpdir(), 'parlor-browser-'));
        await server.run('0');
        return server;
    }

    async run(port) {
        const told = JSON.parse(execFileSync(this.parlor, ['protocols', '--json'])).protocols;
        const others = [...new Set(told.map((protocol) => protocol.listener))]
            .filter((name) => name !== 'http' && !this.args.includes(`--${name}`))
            .flatMap((name) => [`--${name}`, 'off']);
        const options = [
            'serve',
            '--data',
            this.data,
            '--http',
            `127.0.0.1:${port}`,
            '--log-level',
            'warn',
            '--allow-root',
            ...others,
            ...this.args,
        ];
        this.child = spawn(this.parlor, options, { stdio: ['ignore', 'pipe', 'inherit'] });
        this.gone = new Promise((resolve) => this.child.on('exit', resolve));
        const line = await new Promise((resolve, reject) => {
            let text = '';
            this.child.stdout.on('data', (bytes) => {
                text += bytes;
                if (text.includes('\n')) resolve(text);
            });
            this.child.on('exit', () => reject(new Error(`the server ended: ${text}`)));
        });
        this.ports = Object.fromEntries(
            [...line.matchAll(/(\w+)=127\.0\.0\.1:(\d+)/g)].map(([, name, number]) => [name, number]),
        );
        this.url = `http://127.0.0.1:${this.ports.http}`;
    }

    /** Ends it the hard way and starts it again on the same port. */
    async restart() {
        this.child.kill('SIGKILL');
        await this.gone;
        await this.run(this.ports.http);
    }

    async stop() {
        this.child.kill('SIGTERM');
        await this.gone;
        rmSync(this.data, { recursive: true, force: true });
    }

    async api(path, body, token) {
        const init = { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } };
        if (body !== undefined) {
            Object.assign(init, { method: 'POST', body: JSON.stringify(body) });
            init.headers['Content-Type'] = 'application/json';
        }
        const response = await fetch(`${this.url}/api/v1${path}`, init);
        return { status: response.status, json: await response.json() };
    }
}

export function openBrowser() {
    return isFirefox ? new FirefoxBrowser() : chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** In a page of Firefox: what its driver cannot do. A machine without a loudspeaker never lets it sound, and files that are saved are not told of. */
function helpFirefox() {
    AudioContext.prototype.resume = () => Promise.resolve();
    const address = URL.createObjectURL;
    const click = HTMLAnchorElement.prototype.click;
    URL.createObjectURL = (blob) => {
        window.handed = { blob };
        return address.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function () {
        if (this.download === '') click.call(this);
        else window.handed.name = this.download;
    };
}

/** The file that a click saves: its name and its bytes. */
export async function savedBy(page, selector) {
    if (!isFirefox) {
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
        return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    }
    await page.evaluate(() => delete window.handed);
    await page.click(selector);
    await page.waitForFunction(() => window.handed?.name !== undefined);
    const { name, bytes } = await page.evaluate(async () => ({
        name: window.handed.name,
        bytes: [...new Uint8Array(await window.handed.blob.arrayBuffer())],
    }));
    return { name, bytes: Buffer.from(bytes) };
}

/** A window of its own (another person), which remembers everything that went wrong in it. */
export async function openWindow(browser, options = {}) {
    const context = await browser.newContext({
        viewport: { width: WIDTH_PX, height: 860 },
        colorScheme: THEME,
        reducedMotion: 'reduce',
        ...options,
    });
    context.setDefaultTimeout(GUARD_MS);
    if (isFirefox) await context.addInitScript(helpFirefox);
    const page = await context.newPage();
    page.mistakes = [];
    page.on('pageerror', (error) => page.mistakes.push(`${error.message}\n${error.stack}`));
    page.on('console', (message) => {
        // A connection that a test has cut, and requests that are refused on purpose, are told there, too.
        if (message.type() === 'error' && !/net::ERR_|WebSocket|Failed to load resource/.test(message.text()))
            page.mistakes.push(message.text());
    });
    return page;
}

/** Puts a finger on a place of the window, until it is lifted. */
export async function fingerOn(page, at) {
    if (!isFirefox) {
        const session = await page.context().newCDPSession(page);
        await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
        return { lift: () => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }) };
    }
    // Its driver has no fingers: the page is told what it would be told of one.
    const tell = (types) =>
        page.evaluate(
            ([{ x, y }, names]) => {
                const touched = document.elementFromPoint(x, y);
                for (const name of names)
                    touched.dispatchEvent(new PointerEvent(name, { bubbles: true, cancelable: true, pointerType: 'touch', clientX: x, clientY: y }));
            },
            [at, types],
        );
    await tell(['pointerdown']);
    return { lift: () => tell(['pointerup', 'click']) };
}

/** Another choice of colours by the system, while a page is shown; Firefox takes it with its start, so its page is told. */
export async function setColours(page, colorScheme) {
    if (isFirefox) await page.evaluate((scheme) => (document.documentElement.dataset.theme = scheme), colorScheme);
    else await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
}

/** axe-core, which is put into a page before it is asked. */
export const axeScript = () => readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** In the page: what axe-core says about it as it is, each in a line, by all its rules or by some of them. Numbers that are drawn on pieces are no labels, which a name would have to
 * repeat: an island with the number 6 and 2 students is not called "62". */
export async function axeLines(rules) {
    window.axe.configure({ rules: [{ id: 'label-content-name-mismatch', selector: ':not(svg, svg *)' }] });
    const { violations } = await window.axe.run({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }) });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** A table of a person and the weakest bot; Santorini without gods unless told. */
export const againstBot = (game, options = game === 'santorini' ? { gods: 'none' } : {}) => ({
    game,
    seats: 2,
    options,
    seat: { name: 'Ann', seat: 0 },
    bots: [{ seat: 1, level: 1 }],
});

/** Opens a table through the API and gives this window the seat; a window of either browser. */
export async function openTable(server, page, wish) {
    const { status, json } = await server.api('/tables', wish);
    check(status === 201, `POST /tables: ${status} ${JSON.stringify(json)}`);
    await page.goto(server.url);
    await page.evaluate(
        ([code, seat, token, owner]) =>
            localStorage.setItem('parlor.tickets', JSON.stringify({ [code]: { seat, token, owner } })),
        [json.code, json.seat ?? -1, json.token ?? '', json.owner_token],
    );
    await page.goto(`${server.url}/t/${json.code}`);
    await page.waitForSelector('main.table');
    return json;
}

export function check(condition, what) {
    if (!condition) throw new Error(what);
}

export function checkNoMistakes(page) {
    check(page.mistakes.length === 0, `the page complains: ${page.mistakes.join(' | ')}`);
}

/** The code of the table that a window shows. */
export async function codeOf(page) {
    await page.waitForURL(/\/t\/[A-Z0-9]+/);
    return new URL(page.url()).pathname.split('/')[2];
}

/** Random numbers from a seed, so that a failure can be seen again (mulberry32). */
export function randomFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** In the page: what a player could do now, marked with data-pick; "over", "wait", or what kind of thing was picked. */
export function pick([choice, share]) {
    for (const old of document.querySelectorAll('[data-pick]')) old.removeAttribute('data-pick');
    if (document.querySelector('.outcome') !== null) return 'over';
    const mark = (list, kind) => {
        if (list.length === 0) return null;
        list[Math.floor(choice * list.length)].setAttribute('data-pick', '');
        return kind;
    };
    const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => !element.disabled);
    const dialog = mark(all('#choose[open] button[data-action]'), 'button');
    if (dialog !== null) return dialog;
    const confirm = mark(all('.steps .confirm.primary'), 'button');
    if (confirm !== null) return confirm;
    if (document.querySelector('.turn.mine') === null) return 'wait';
    const places = all(
        '.drawing [data-actions], .drawing button[data-action], .actions > .choices button[data-action]',
    );
    const selections = all(
        '.drawing [role=button]:not([data-actions]), .drawing button:not([data-action], [data-actions], [data-look])',
    );
    const tabs = all('.tabs .open:not([aria-selected=true])'); // on a phone, what is behind another tab
    const first = share < 0.75 && places.length > 0 ? places : selections;
    const here = first.length > 0 ? first : [...places, ...selections];
    const picked = mark(here.length > 0 && (share > 0.1 || tabs.length === 0) ? here : tabs, 'place');
    if (picked !== null)
        return document.querySelector('[data-pick]').tagName === 'BUTTON' ? 'button' : 'place';
    return 'wait';
}

/** In the page: whether pick would find something. */
export function isReady() {
    return (
        document.querySelector('.outcome, #choose[open], .steps .confirm.primary:not([disabled])') !== null ||
        (document.querySelector('.turn.mine') !== null &&
            document.querySelector(
                '.drawing [role=button], .drawing button:not([disabled]), .actions > .choices button',
            ) !== null)
    );
}

/** Plays whatever the pages offer, at random, until the table is over for all of them or so many clicks were made; returns the
 * clicks. */
export async function playTogether(pages, random, clicks_max = 3000) {
    let clicks = 0;
    let luck = [random(), random()]; // drawn anew with every click only, so that a seed means the same however long others think
    const deadline = Date.now() + 5 * GUARD_MS;
    while (clicks < clicks_max) {
        check(Date.now() < deadline, `the table is not over after ${clicks} clicks`);
        const kinds = [];
        for (const page of pages) {
            const kind = await page.evaluate(pick, luck);
            kinds.push(kind);
            if (kind !== 'over' && kind !== 'wait') {
                clicks++;
                luck = [random(), random()];
                await press(page, kind, clicks % 2 === 0);
            }
        }
        if (kinds.every((kind) => kind === 'over')) break;
        const waiting = pages.filter((_, i) => kinds[i] === 'wait');
        if (kinds.every((kind) => kind === 'over' || kind === 'wait'))
            await Promise.any(waiting.map((page) => page.waitForFunction(isReady)));
    }
    return clicks;
}

export function playOn(page, random, clicks_max) {
    return playTogether([page], random, clicks_max);
}

/** By mouse or by keyboard. A place may be hidden behind another one in a drawing; then only the keyboard reaches it. */
async function press(page, kind, byKeyboard) {
    const element = await page.$('[data-pick]');
    if (element === null) return; // the position has changed in between
    try {
        if (kind === 'place' && byKeyboard) {
            await element.focus();
            await page.keyboard.press('Enter');
        } else {
            await element.click({ timeout: 1000 });
        }
    } catch (error) {
        if (!/Timeout|not attached|intercepts/.test(error.message)) throw error;
        await element.evaluate((target) => target.isConnected && target.focus()).catch(() => undefined);
        await page.keyboard.press('Enter');
    }
}

/** Runs named cases one after the other and reports them as TAP. */
export async function runCases(cases) {
    const wanted = process.argv.slice(3);
    const chosen = cases.filter(
        ([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
    );
    console.log(`1..${chosen.length}`);
    let failed = 0;
    for (const [number, [name, run]] of chosen.entries()) {
        const began = Date.now();
        try {
            await run();
            console.log(`ok ${number + 1} - ${name}`);
        } catch (error) {
            failed++;
            console.log(`not ok ${number + 1} - ${name}`);
            for (const line of String(error.stack ?? error).split('\n')) console.log(`# ${line}`);
        }
        console.log(`# ${((Date.now() - began) / 1000).toFixed(1)} s`);
    }
    return failed;
}
