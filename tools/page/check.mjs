// Opens pages of flipside in headless Chromium, light and dark, wide and narrow, and checks them:
// nothing but the file is requested, nothing is said on the console, nothing runs over the side, axe-core finds
// nothing (contrast, names, text alternatives), a filter hides what it should, and the page prints.
//
//   node check.mjs [--shots DIR] PAGE...
//
// CHROMIUM names the browser; without one at all the check says so and passes.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const WIDTHS = [1200, 390];
const SCHEMES = ['light', 'dark'];
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const words = process.argv.slice(2);
const shotsAt = words.indexOf('--shots');
const shots = shotsAt < 0 ? null : words.splice(shotsAt, 2)[1];
if (words.length === 0) {
  console.error('usage: node check.mjs [--shots DIR] PAGE...');
  process.exit(2);
}
const browserPath = BROWSERS.find((path) => path && existsSync(path));
if (!browserPath) {
  console.log('skipped: no Chromium here; CHROMIUM names one');
  process.exit(0);
}
const { default: puppeteer } = await import('puppeteer-core');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function checkPage(browser, path, width, scheme) {
  const problems = [];
  const page = await browser.newPage();
  const url = pathToFileURL(resolve(path)).href;
  page.on('request', (request) => {
    if (request.url() !== url) problems.push(`asks for ${request.url()}`);
  });
  page.on('console', (message) => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error}`));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url, { waitUntil: 'load' });
  const title = await page.title();
  if (!title.startsWith('flipside report')) problems.push(`title is ${JSON.stringify(title)}`);
  const over = await page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
  if (over > 0) problems.push(`${over} pixels over the side`);
  if (shots) {
    mkdirSync(shots, { recursive: true });
    const name = `${basename(dirname(resolve(path)))}-${width}-${scheme}`;
    await page.screenshot({ path: join(shots, `${name}.png`) });
    await page.screenshot({ path: join(shots, `${name}-full.png`), fullPage: true });
  }
  problems.push(...(await filters(page)));
  // Closed parts are checked too.
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  for (const rule of found.violations) {
    const places = rule.nodes.slice(0, 3).map((node) => node.target.join(' '));
    problems.push(`axe ${rule.id} (${rule.impact}), ${rule.nodes.length} times: ${rule.help}: ${places.join(' | ')}`);
  }
  await page.close();
  return problems;
}

// Chooses the first value of each list and looks whether just its entries are left.
async function filters(page) {
  return page.evaluate(() => {
    const problems = [];
    for (const select of document.querySelectorAll('.filters select')) {
      const flips = [...select.closest('.flips').querySelectorAll('.flip')];
      const visible = () => flips.filter((one) => one.getClientRects().length > 0);
      const wanted = flips.filter((one) => one.classList.contains(select.options[1].className));
      select.selectedIndex = 1;
      const shown = visible();
      if (shown.length !== wanted.length || shown.some((one) => !wanted.includes(one))) {
        problems.push(`filter ${select.id}: ${shown.length} entries shown, expected ${wanted.length}`);
      }
      select.selectedIndex = 0;
      if (visible().length !== flips.length) problems.push(`filter ${select.id}: "all" does not show all`);
    }
    return problems;
  });
}

async function prints(browser, path) {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(resolve(path)).href);
  const pdf = await page.pdf({ format: 'A4' });
  await page.close();
  return pdf.length > 10_000 ? [] : [`prints to ${pdf.length} bytes`];
}

const browser = await puppeteer.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
let bad = 0;
let good = 0;
for (const path of words) {
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      const problems = await checkPage(browser, path, width, scheme);
      for (const problem of problems) console.log(`${path} ${width} ${scheme}: ${problem}`);
      problems.length ? bad++ : good++;
    }
  }
  const problems = await prints(browser, path);
  for (const problem of problems) console.log(`${path} print: ${problem}`);
  problems.length ? bad++ : good++;
}
await browser.close();
console.log(`${good} passed, ${bad} failed`);
process.exit(bad ? 1 : 0);
