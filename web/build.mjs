// Type-checks and bundles the page into a directory: one document, one script, one style sheet and an icon.
//   node build.mjs DIRECTORY
// The script and the style sheet are named by their content, so that browsers may keep them for ever.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const FIRST_LOAD_BYTES_MAX = 80 * 1000; // compressed; fonts there are none
const RULES = '../docs/rules'; // which the page shows
const out = process.argv[2];
if (out === undefined) {
    console.error('usage: node build.mjs DIRECTORY');
    process.exit(2);
}

const check = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'], {
    stdio: 'inherit',
});
if (check.status !== 0) process.exit(1);

function bundle(entry, extension) {
    const result = buildSync({
        entryPoints: [entry],
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        target: ['chrome100', 'firefox100', 'safari15.4'],
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'warning',
    });
    const content = result.outputFiles[0].contents;
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
    const name = `assets/app-${digest}${extension}`;
    writeFileSync(join(out, name), content);
    return { name: `/${name}`, size: gzipSync(content, { level: 9 }).length };
}

mkdirSync(join(out, 'assets'), { recursive: true });
const script = bundle('src/main.ts', '.js');
const style = bundle('src/style.css', '.css');
const page = readFileSync('index.html', 'utf8').replace('SCRIPT', script.name).replace('STYLE', style.name);
writeFileSync(join(out, 'index.html'), page);
copyFileSync('icon.svg', join(out, 'icon.svg'));
mkdirSync(join(out, 'rules'), { recursive: true });
for (const name of readdirSync(RULES)) copyFileSync(join(RULES, name), join(out, 'rules', name));

const size = script.size + style.size + gzipSync(page, { level: 9 }).length;
if (size > FIRST_LOAD_BYTES_MAX) {
    console.error(`the first load is ${size} bytes compressed, more than ${FIRST_LOAD_BYTES_MAX}`);
    process.exit(1);
}
