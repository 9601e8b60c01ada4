import { type ReactElement, useState } from 'react';
import { vi } from 'vitest';
import type { Language } from '../i18n/languages.ts';
import { renderApp } from './render-app.tsx';

export interface SentRequest {
  /** Method and URL, such as `PUT /api/admin/skills/pdf`. */
  line: string;
  body: unknown;
  ifMatch: string | null;
}

/** Responses by method and URL without query, or functions that return them. */
type Answers = Record<string, unknown | ((request: SentRequest) => unknown)>;

/** Renders a part of the app with a fake server that also accepts writes; returns these as they arrive. */
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

/** A problem as the server returns it, with `issue` for a single field. */
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
