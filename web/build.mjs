// Type-checks and bundles the page into a directory: one document, one script and its parts that are loaded when they are wanted,
// one style sheet and an icon.
//   node build.mjs DIRECTORY
// Scripts and the style sheet are named by their content, so that browsers may keep them for ever.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const FIRST_LOAD_BYTES_MAX = 70 * 1000; // compressed, of the lobby and of a table of any game; fonts there are none
const DOCUMENTS = '../docs'; // of which the page shows the rules, and what describes the protocols
const TABLE = 'src/pages/table.ts';
const out = process.argv[2];
if (out === undefined) {
    console.error('usage: node build.mjs DIRECTORY');
    process.exit(2);
}

const check = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'], {
    stdio: 'inherit',
});
if (check.status !== 0) process.exit(1);

const OPTIONS = {
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['chrome100', 'firefox100', 'safari15.4'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    outdir: out,
    entryNames: 'assets/app-[hash]',
    chunkNames: 'assets/part-[hash]',
};

const packed = (content) => gzipSync(content, { level: 9 }).length;

/** Bundles an entry; what is imported later is a file of its own. */
function bundle(entry) {
    const { outputFiles, metafile } = buildSync({ ...OPTIONS, entryPoints: [entry], splitting: entry.endsWith('.ts') });
    const sizes = {};
    for (const file of outputFiles) {
        const name = relative(process.cwd(), file.path);
        writeFileSync(file.path, file.contents);
        sizes[name] = packed(file.contents);
    }
    const entries = Object.fromEntries(Object.entries(metafile.outputs).map(([name, { entryPoint }]) => [entryPoint, name]));
    const first = entries[entry];
    const boards = Object.keys(entries).filter((name) => name.startsWith('src/boards/'));
    return {
        name: `/${relative(out, first)}`,
        lobby: firstSize(metafile.outputs, sizes, [first]),
        table: Math.max(0, ...boards.map((board) => firstSize(metafile.outputs, sizes, [first, entries[TABLE], entries[board]]))),
    };
}

/** What a browser loads before the page can be seen: some entries, what those cannot do without, and the words of one language. */
function firstSize(outputs, sizes, firsts) {
    const needed = new Set();
    const need = (name) => {
        if (needed.has(name)) return;
        needed.add(name);
        for (const { path, kind } of outputs[name].imports) if (kind === 'import-statement') need(path);
    };
    firsts.forEach(need);
    const words = Object.keys(outputs).filter((name) => outputs[name].entryPoint?.startsWith('src/words/'));
    const sum = [...needed].reduce((all, name) => all + sizes[name], 0);
    return sum + Math.max(0, ...words.map((name) => sizes[name]));
}

mkdirSync(join(out, 'assets'), { recursive: true });
const script = bundle('src/main.ts');
const style = bundle('src/style.css');
const page = readFileSync('index.html', 'utf8').replace('SCRIPT', script.name).replace('STYLE', style.name);
writeFileSync(join(out, 'index.html'), page);
copyFileSync('icon.svg', join(out, 'icon.svg'));
mkdirSync(join(out, 'rules'), { recursive: true });
mkdirSync(join(out, 'cards'), { recursive: true });
for (const name of readdirSync('cards')) copyFileSync(join('cards', name), join(out, 'cards', name));
for (const name of readdirSync(join(DOCUMENTS, 'rules'))) copyFileSync(join(DOCUMENTS, 'rules', name), join(out, 'rules', name));
mkdirSync(join(out, 'docs', 'protocols'), { recursive: true });
const described = readdirSync(join(DOCUMENTS, 'protocols')).filter((name) => name.endsWith('.md'));
for (const name of ['api.md', ...described.map((one) => join('protocols', one))]) copyFileSync(join(DOCUMENTS, name), join(out, 'docs', name));

const around = style.lobby + packed(page);
for (const [what, size] of [['lobby', script.lobby + around], ['table', script.table + around]]) {
    console.log(`the first load of a ${what} is ${size} bytes compressed`);
    if (size > FIRST_LOAD_BYTES_MAX) {
        console.error(`that is more than ${FIRST_LOAD_BYTES_MAX}`);
        process.exit(1);
    }
}
