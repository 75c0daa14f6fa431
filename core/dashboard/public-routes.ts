import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package';
import type { AppRoute } from '../serving/create-app';
import { HttpError } from '../serving/http-error';
import { sendBody } from '../serving/send';
import type { DashboardHost } from './dashboard-host';
import { plainPage } from './plain-page';
import { DASHBOARD_PATH, type ListenerRow } from './protocol';

const DOCS = `${DASHBOARD_PATH}/docs`;

/** What every browser of this machine may see: where it is, and the documentation. */
export function publicRoutes({ listeners }: Pick<DashboardHost, 'listeners'>): AppRoute[] {
  return [
    {
      method: 'get',
      path: '/',
      handle({ socket, headers }, response) {
        const serves = listeners().find(({ port }) => port === socket.localPort)?.serves ?? 'gateway';
        const page = homePage(headers.host ?? '', serves);
        sendBody(response, 200, page, { 'content-type': 'text/html; charset=utf-8' });
      },
    },
    {
      method: 'get',
      path: `${DOCS}/:name`,
      async handle({ params: { name = '' }, path }, response) {
        const isPage = /^[a-z-]+\.md$/i.test(String(name));
        const text = isPage && (await readFile(join(packageRoot, 'docs', String(name))).catch(() => undefined));
        if (!text) throw new HttpError(404, 'unknown_url', `there is no ${path}`);
        sendBody(response, 200, text, { 'content-type': 'text/plain; charset=utf-8' });
      },
    },
  ];
}

function homePage(host: string, serves: ListenerRow['serves']): string {
  const forPrograms =
    serves === 'gateway'
      ? `This address is for programs, with the base URL \`http://${host}/v1\`.`
      : 'This address serves the dashboard only. To have requests answered, run: `drivebay serve`';
  return plainPage({
    title: 'Drivebay is running',
    paragraphs: [
      forPrograms,
      'The dashboard shows what it does. To sign in with this browser, run: `drivebay dashboard`',
    ],
    links: [
      [`${DASHBOARD_PATH}/`, 'The dashboard'],
      [`${DOCS}/clients.md`, 'The settings of SDKs, editors and chat programs'],
      [`${DOCS}/gateway.md`, 'Requests, answers, headers and errors'],
      [`${DOCS}/README.md`, 'All pages of the documentation'],
    ],
  });
}
