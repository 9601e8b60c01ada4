import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type LaunchOptions } from '@playwright/test';

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Launch options for a Chromium on this machine. Prefers `CHROMIUM_PATH`, then the npm package (Linux x64,
 * needs no system libraries), then the system's, then Playwright's own. The package's build is headless, so
 * that a page takes three quarters of the processor time, and it is the same everywhere.
 */
export async function findChromium(): Promise<LaunchOptions> {
  const args = process.getuid?.() === 0 ? [...flags, '--no-sandbox'] : flags;
  const wanted = process.env.CHROMIUM_PATH;
  if (!wanted && process.platform === 'linux' && process.arch === 'x64') {
    return packagedOptions(await unpackedChromium(), args);
  }
  const installed = installedChromium(wanted);
  if (!installed) {
    throw new Error(
      'No Chromium found. Run `npx playwright install chromium`, or set CHROMIUM_PATH.',
    );
  }
  return fullOptions(installed, args);
}

function packagedOptions(folder: string, args: string[]): LaunchOptions {
  return {
    executablePath: join(folder, 'chromium'),
    args,
    env: {
      ...definedEnvironment(),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

/** A full Chromium: except on Windows, started by a script that disables popups. */
function fullOptions(path: string, args: string[]): LaunchOptions {
  return process.platform === 'win32'
    ? { executablePath: path, args }
    : {
        executablePath: fileURLToPath(new URL('chromium.sh', import.meta.url)),
        args,
        env: { ...definedEnvironment(), CHROMIUM_BINARY: path },
      };
}

function installedChromium(wanted: string | undefined): string | undefined {
  if (wanted && !existsSync(wanted)) {
    throw new Error(`CHROMIUM_PATH is ${wanted}, but there is no such file.`);
  }
  return wanted || [...systemPaths, chromium.executablePath()].find((path) => existsSync(path));
}

/**
 * The folder of the npm package's Chromium, unpacked on first use. The package itself would unpack into the
 * shared temporary folder and accept a half-written file there. Therefore it gets its own folder, which is
 * renamed when complete (atomic).
 */
async function unpackedChromium(): Promise<string> {
  const packageFile = fileURLToPath(
    new URL('../../package.json', import.meta.resolve('@sparticuz/chromium')),
  );
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const folder = join(dirname(packageFile), '../../.cache', `chromium-${version}`);
  if (existsSync(folder)) {
    return folder;
  }
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}-`);
  await unpack(staging);
  await writeFile(join(staging, 'fonts.conf'), fontsConfig);
  try {
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true });
    if (!existsSync(folder)) {
      throw error;
    }
  }
  return folder;
}

/** In its own process, because the package changes its environment. */
async function unpack(folder: string): Promise<void> {
  const script =
    "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    // The package unpacks its libraries only on Amazon Linux.
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
  });
}

const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
