import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Root may not use the sandbox; the only pages opened here are our own. */
const ARGUMENTS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** For a machine with other work; what is there is not waited for. */
const PATIENCE_MS = 15_000;

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(() => browser?.close());

/** What a page asked for and complained about. */
export interface Watched {
  page: Page;
  /** Addresses of everything it asked for. */
  requests: string[];
  /** Errors in its console, or thrown in it; a refusal by the content security policy is one. */
  errors: string[];
}

/** A page in a browser that knows nothing yet. Every file of tests has one browser, every page its own cookies. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Watched> {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM_PATH!, args: ARGUMENTS });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const watched: Watched = { page, requests: [], errors: [] };
  page.on('request', (request) => watched.requests.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && watched.errors.push(message.text()));
  page.on('pageerror', (error) => watched.errors.push(error.message));
  return watched;
}
