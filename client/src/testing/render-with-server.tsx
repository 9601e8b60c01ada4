import { type ReactElement, useState } from 'react';
import { vi } from 'vitest';
import type { Language } from '../i18n/languages.ts';
import { renderApp } from './render-app.tsx';

export interface SentRequest {
  /** Method and address, such as `PUT /api/admin/skills/pdf`. */
  line: string;
  body: unknown;
  ifMatch: string | null;
}

/** What is answered to a method and an address without its query, or a function that gives it. */
type Answers = Record<string, unknown | ((request: SentRequest) => unknown)>;

/** Renders a part of the app before a server that also takes writes; gives these as they come in. */
export function renderWithServer(
  element: ReactElement,
  answers: Answers,
  language: Language = 'en',
): SentRequest[] {
  const writes: SentRequest[] = [];
  function Ready() {
    useState(() => startServer(answers, writes));
    return element;
  }
  renderApp(<Ready />, {}, language);
  return writes;
}

/** A refusal as the server words it, because of one thing in the request where `issue` is given. */
export function refusal(status: number, code: string, issue?: string): Response {
  const issues = issue && [{ path: 'password', code: issue, message: 'No.' }];
  return Response.json({ type: '', title: '', status, code, detail: 'No.', issues }, { status });
}

function startServer(answers: Answers, writes: SentRequest[]): void {
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const request = {
      line: `${init.method} ${address.split('?')[0]}`,
      body: init.body ? JSON.parse(String(init.body)) : undefined,
      ifMatch: new Headers(init.headers).get('if-match'),
    };
    if (init.method !== 'GET') {
      writes.push(request);
    }
    const answer = answers[request.line];
    const given = await (typeof answer === 'function' ? answer(request) : answer);
    return given instanceof Response ? given : Response.json(given ?? null);
  });
}
