// Debian's Firefox for the tests, which the library that drives Chromium cannot drive: the little of Marionette that they need. That is a socket
// with messages of JSON, each with its length before it: [0, number, command, parameters], answered by [1, number, error, result].
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GUARD_MS } from './kit.mjs';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'; // how WebDriver writes an element

const PREFERENCES = {
    'marionette.port': 0,
    'ui.prefersReducedMotion': 1,
    'layout.css.prefers-color-scheme.content-override': 2, // as the system has it
    'toolkit.legacyUserProfileCustomizations.stylesheets': true,
    // What the page complains of comes out with the output of the program.
    'browser.dom.window.dump.enabled': true,
    'devtools.console.stdout.content': true,
    'devtools.console.stdout.chrome': false,
    'media.volume_scale': '0.0',
    // Nothing is fetched from elsewhere, and nothing is done that nobody has asked for.
    'app.normandy.enabled': false,
    'app.update.disabledForTesting': true,
    'browser.newtabpage.enabled': false,
    'browser.safebrowsing.downloads.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'browser.search.update': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'browser.topsites.contile.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'dom.ipc.processPrelaunch.enabled': false,
    'extensions.getAddons.cache.enabled': false,
    'extensions.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'startup.homepage_welcome_url': 'about:blank',
    'toolkit.telemetry.enabled': false,
};

/** A window may be as narrow as a phone, without bars around the page. */
const CHROME = ':root { min-width: 0 !important } #navigator-toolbox { display: none !important }';

function makeProfile() {
    const profile = mkdtempSync(join(tmpdir(), 'parlor-firefox-'));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
    writeFileSync(join(profile, 'user.js'), lines.join(''));
    mkdirSync(join(profile, 'chrome'));
    writeFileSync(join(profile, 'chrome', 'userChrome.css'), CHROME);
    return profile;
}

export class Firefox {
    /** A Firefox of its own, with one window. */
    static async start() {
        const firefox = new Firefox();
        firefox.mistakes = [];
        firefox.waiting = new Map();
        firefox.number = 0;
        firefox.profile = makeProfile();
        const args = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', firefox.profile, 'about:blank'];
        // Everything that it keeps is in its profile, and goes with it.
        const env = { ...process.env, HOME: firefox.profile, MOZ_CRASHREPORTER_DISABLE: '1' };
        firefox.child = spawn(FIREFOX, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
        firefox.gone = new Promise((resolve) => firefox.child.on('exit', resolve));
        firefox.readOutput();
        try {
            await firefox.connect();
            await firefox.ask('WebDriver:NewSession', { capabilities: { alwaysMatch: { pageLoadStrategy: 'none' } } });
            await firefox.ask('WebDriver:SetTimeouts', { script: GUARD_MS, pageLoad: GUARD_MS, implicit: 0 });
        } catch (error) {
            await firefox.stop();
            throw error;
        }
        return firefox;
    }

    /** What it says: where it listens, errors of scripts, and what was written to the console as an error. */
    readOutput() {
        this.port = new Promise((resolve, reject) => {
            for (const stream of [this.child.stdout, this.child.stderr]) {
                let rest = '';
                stream.setEncoding('utf8').on('data', (text) => {
                    const lines = (rest + text).split('\n');
                    rest = lines.pop();
                    for (const line of lines) {
                        const [, port] = /Marionette\s+INFO\s+Listening on port (\d+)/.exec(line) ?? [];
                        if (port !== undefined) resolve(Number(port));
                        // Parts of Firefox itself complain with their name and a colon.
                        if (/^console\.error: (?!\w+: *$)|^JavaScript error: http/.test(line)) this.mistakes.push(line);
                    }
                });
            }
            void this.gone.then(() => reject(new Error('Firefox has ended')));
        });
    }

    async connect() {
        this.socket = connect(await this.port, '127.0.0.1');
        this.socket.on('error', (error) => this.cut(error));
        this.socket.on('close', () => this.cut(new Error('Firefox has closed the connection')));
        const greeted = new Promise((resolve, reject) => this.waiting.set('greeting', { resolve, reject }));
        let bytes = Buffer.alloc(0);
        this.socket.on('data', (more) => {
            bytes = Buffer.concat([bytes, more]);
            for (let colon = bytes.indexOf(':'); colon > 0; colon = bytes.indexOf(':')) {
                const length = Number(bytes.subarray(0, colon));
                if (bytes.length < colon + 1 + length) break;
                this.take(JSON.parse(bytes.subarray(colon + 1, colon + 1 + length)));
                bytes = bytes.subarray(colon + 1 + length);
            }
        });
        await greeted;
    }

    cut(error) {
        for (const { reject } of this.waiting.values()) reject(error);
        this.waiting.clear();
    }

    take(message) {
        const [, key, error, result] = Array.isArray(message) ? message : [1, 'greeting', null, message];
        const { resolve, reject, name } = this.waiting.get(key) ?? {};
        this.waiting.delete(key);
        if (error === null) resolve?.(result);
        else reject?.(new Error(`${name}: ${error.error}: ${error.message}`));
    }

    ask(name, parameters = {}) {
        const number = this.number++;
        const text = JSON.stringify([0, number, name, parameters]);
        return new Promise((resolve, reject) => {
            this.waiting.set(number, { resolve, reject, name });
            this.socket.write(`${Buffer.byteLength(text)}:${text}`);
        });
    }

    async goto(url) {
        await this.ask('WebDriver:Navigate', { url });
    }

    /** What a function gives in the page; it may be asynchronous. */
    async evaluate(run, ...args) {
        const script = `const [args, done] = arguments; Promise.resolve((${run})(...args)).then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));`;
        const { value: told } = await this.ask('WebDriver:ExecuteAsyncScript', { script, args: [args], sandbox: null });
        if (told.error !== undefined) throw new Error(told.error);
        return told.value;
    }

    /** Until a function in the page gives something that is true; returns that. */
    async waitFor(run, ...args) {
        const wait = `async (...args) => {
            const end = Date.now() + ${GUARD_MS / 2};
            for (;;) {
                const value = await (${run})(...args);
                if (value) return value;
                if (Date.now() > end) throw new Error('waited in vain for ${JSON.stringify(String(run)).slice(1, -1).replaceAll("'", "\\'")}');
                await new Promise((seen) => requestAnimationFrame(seen));
            }
        }`;
        return this.evaluate(wait, ...args);
    }

    async waitForSelector(selector) {
        await this.waitFor((wanted) => document.querySelector(wanted) !== null, selector);
    }

    /** Whether the system has dark colours. */
    async setDark(isDark) {
        await this.ask('Marionette:SetContext', { value: 'chrome' });
        const script = "Services.prefs.setIntPref('ui.systemUsesDarkTheme', arguments[0])";
        await this.ask('WebDriver:ExecuteScript', { script, args: [isDark ? 1 : 0] });
        await this.ask('Marionette:SetContext', { value: 'content' });
        await this.waitFor((wanted) => window.matchMedia('(prefers-color-scheme: dark)').matches === wanted, isDark);
    }

    /** The page is to have this width; a window without bars has no more. */
    async resize(width, height) {
        await this.ask('WebDriver:SetWindowRect', { x: 0, y: 0, width, height });
        await this.waitFor((wanted) => window.innerWidth === wanted, width);
    }

    async find(selector) {
        const { value } = await this.ask('WebDriver:FindElement', { using: 'css selector', value: selector });
        return value[ELEMENT];
    }

    /** A click as a person makes it: where the element is, on what is in front there. */
    async click(selector) {
        await this.ask('WebDriver:ElementClick', { id: await this.find(selector) });
    }

    /** A key, wherever the focus is. */
    async pressActive(key) {
        const actions = [{ type: 'key', id: 'keyboard', actions: [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }] }];
        await this.ask('WebDriver:PerformActions', { actions });
    }

    async stop() {
        this.socket?.destroy();
        this.child.kill('SIGTERM');
        await this.gone;
        rmSync(this.profile, { recursive: true, force: true });
    }
}
