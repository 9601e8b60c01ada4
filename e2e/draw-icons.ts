// npm run icons: generates the installed app's icons from the brand SVG.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './find-chromium.ts';
import { repositoryRoot } from './start-knowhow.ts';

const folder = join(repositoryRoot, 'client/public');
const brand = await readFile(join(folder, 'favicon.svg'), 'utf8');
const content = brand.replace(/<\/?svg[^>]*>|<title>.*<\/title>/g, '');

/** Maskable: systems crop the icon, so the background is full-bleed and the logo is centred. */
const maskable = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" fill="#125b62"/><g transform="translate(4.8 4.8) scale(.7)">${content}</g></svg>`;

const browser = await chromium.launch(await findChromium());
await mkdir(join(folder, 'icons'), { recursive: true });
await draw('192.png', brand, 192);
await draw('512.png', brand, 512);
await draw('maskable.png', maskable, 512);
await browser.close();

async function draw(name: string, svg: string, size: number): Promise<void> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const sized = svg.replace('<svg ', `<svg width="${size}" height="${size}" `);
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${sized}`);
  await writeFile(join(folder, 'icons', name), await page.screenshot({ omitBackground: true }));
  await page.close();
}
