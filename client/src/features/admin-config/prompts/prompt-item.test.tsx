import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { problem } from '@knowhow/shared/problem';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import type { Config } from '../items/config-value.ts';
import { PromptItem } from './prompt-item.tsx';

const path = '/api/admin/prompts/trip';

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

function itemOf(config: Config, checksum = 'first'): ConfigItem {
  const text = JSON.stringify(config, null, 2);
  return { id: 'trip', path: 'contents/prompts/trip.json', config, text, checksum };
}

/** Renders the page of a prompt; returns what is written to the server. */
async function setUp(item: ConfigItem) {
  const written: { config: Config; ifMatch: string | null }[] = [];
  renderApp(
    <>
      <main>
        <PromptItem id="trip" />
      </main>
      <Link to="/elsewhere">Elsewhere</Link>
    </>,
    { [path]: item },
  );
  await screen.findByRole('tab', { name: 'Form' });
  const server = { item, refusal: undefined as Response | undefined };
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    if (init.method !== 'PUT') {
      return Response.json(server.item);
    }
    const config = JSON.parse(String(init.body)) as Config;
    written.push({ config, ifMatch: new Headers(init.headers).get('if-match') });
    const refusal = server.refusal;
    server.refusal = undefined;
    server.item = refusal ? server.item : itemOf(config, 'saved');
    return refusal ?? Response.json(server.item);
  });
  const user = userEvent.setup();
  /** Pasted, because typing is slow. */
  async function fill(target: HTMLElement, text: string) {
    await user.click(target);
    await user.paste(text);
  }
  return { user, fill, written, server };
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const save = () => screen.getByRole('button', { name: 'Save' });
const refusalOf = (error: ReturnType<typeof problem>) =>
  Response.json(error.toBody(), { status: error.status });

describe('the page of a prompt', () => {
  it('writes only changes, and preserves unknown fields and placeholders', async () => {
    const config = {
      id: 'trip',
      name: '${TRIP_NAME:-Trip}',
      prompt: { en: 'Pack for [days] days.', fr: 'Fais les bagages.' },
      variables: [{ name: 'days', hint: 'a number' }],
      weather: { sunny: true },
    };
    const { user, fill, written } = await setUp(itemOf(config));
    expect(screen.getByText('weather')).toBeTruthy();
    expect(screen.getByText('variables.0.hint')).toBeTruthy();

    await fill(field('Category'), 'travel');
    await user.selectOptions(field('Prompt text, Add a language'), 'Deutsch');
    await fill(field('Prompt text, Deutsch'), 'Packe.');
    await user.click(save());

    const prompt = { en: 'Pack for [days] days.', fr: 'Fais les bagages.', de: 'Packe.' };
    await waitFor(() =>
      expect(written).toEqual([
        { config: { ...config, prompt, category: 'travel' }, ifMatch: '"first"' },
      ]),
    );
    await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('splits one text into languages and back, and leaves out empty texts', async () => {
    const { user, fill, written } = await setUp(
      itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.' }),
    );
    await user.click(
      screen.getAllByRole('button', { name: 'Separate texts per language' })[0] ?? save(),
    );
    expect(field('Name, English').value).toBe('Trip');
    await user.selectOptions(field('Name, Add a language'), 'Deutsch');
    await fill(field('Name, Deutsch'), 'Reise');
    expect(screen.queryByRole('button', { name: 'One text for all languages' })).toBeNull();
    await user.clear(field('Name, English'));
    await user.click(screen.getByRole('button', { name: 'One text for all languages' }));
    expect(field('Name').value).toBe('Reise');
    await user.click(save());
    await waitFor(() =>
      expect(written[0]?.config).toEqual({ id: 'trip', name: 'Reise', prompt: 'Pack.' }),
    );
  });

  it('shows errors at their fields, and saves nothing', async () => {
    const { user, fill, written } = await setUp(
      itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.' }),
    );
    await user.clear(field('Prompt text'));
    await user.click(screen.getByRole('button', { name: 'Add variable' }));
    await fill(field('Name in the text'), 'how many');
    await user.click(save());
    expect(await screen.findAllByText('Only letters, digits and underscores.')).toHaveLength(2);
    expect(screen.getAllByText('This field is required.')).toHaveLength(2);
    await waitFor(() => expect(document.activeElement).toBe(field('Prompt text')));
    expect(written).toEqual([]);
  });

  it("shows the server's errors at their fields", async () => {
    const { user, fill, server } = await setUp(
      itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.' }),
    );
    const issues = [{ path: 'category', code: 'custom', message: 'There is no such category.' }];
    server.refusal = refusalOf(problem('invalid-request', 'No.', { issues }));
    await fill(field('Category'), 'travel');
    await user.click(save());
    const described = await waitFor(() => field('Category').getAttribute('aria-describedby') ?? '');
    expect(document.getElementById(described)?.textContent).toBe('There is no such category.');
  });

  it("loads or overwrites another user's version after a conflict", async () => {
    const { user, fill, written, server } = await setUp(
      itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.' }),
    );
    const theirs = { id: 'trip', name: 'Theirs', prompt: 'Pack.' };
    server.item = itemOf(theirs, 'second');
    server.refusal = refusalOf(problem('changed-meanwhile', 'Changed.'));
    await fill(field('Category'), 'mine');
    await user.click(save());
    const shown = await screen.findByRole('group', { name: 'Server version' });
    expect(shown.textContent).toContain('"name": "Theirs"');
    expect(screen.getByRole('group', { name: 'My version, not saved' }).textContent).toMatch(
      /"name": "Trip".*"category": "mine"/,
    );
    await user.click(screen.getByRole('button', { name: 'Overwrite with my version' }));
    await waitFor(() => expect(written.at(-1)?.ifMatch).toBe('"second"'));
    expect(written.at(-1)?.config).toMatchObject({ name: 'Trip', category: 'mine' });

    server.item = itemOf(theirs, 'third');
    server.refusal = refusalOf(problem('changed-meanwhile', 'Changed.'));
    await fill(field('Category'), ' again');
    await user.click(save());
    const load = { name: 'Load the other version' };
    await user.click(await screen.findByRole('button', load));
    const question = within(await screen.findByRole('dialog', { name: 'Load the other version?' }));
    expect(question.getByText(/Your unsaved changes will be lost/)).toBeTruthy();
    expect(field('Category').value).toBe('mine again');
    await user.click(question.getByRole('button', load));
    await waitFor(() => expect(field('Name').value).toBe('Theirs'));
    expect(field('Category').value).toBe('');
    const heading = screen.getByRole('heading', { level: 1, name: 'Theirs' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it('can be edited as JSON with the same result', async () => {
    const { user, fill, written } = await setUp(
      itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.', weather: 'sunny' }),
    );
    await fill(field('Category'), 'travel');
    await user.click(screen.getByRole('tab', { name: 'As JSON' }));
    const text = screen.getByLabelText<HTMLTextAreaElement>(/^Content of/);
    expect(JSON.parse(text.value)).toMatchObject({ category: 'travel', weather: 'sunny' });

    await user.clear(text);
    await user.paste('not yet');
    await user.click(screen.getByRole('tab', { name: 'Form' }));
    expect(await screen.findByText(/not a valid JSON object/)).toBeTruthy();

    await user.clear(text);
    await user.paste('{"id": "trip", "name": "Journey", "prompt": "Pack."}');
    await user.click(screen.getByRole('tab', { name: 'Form' }));
    expect(field('Name').value).toBe('Journey');
    await user.click(save());
    await waitFor(() =>
      expect(written[0]?.config).toEqual({ id: 'trip', name: 'Journey', prompt: 'Pack.' }),
    );
  });

  it('shows the text of a file that is not valid JSON', async () => {
    const { config: _, ...broken } = itemOf({});
    const fault = { message: 'Not valid JSON: oh' };
    const { user, written } = await setUp({ ...broken, text: '{"id": "trip",', fault });
    expect(screen.getByText('Not valid JSON: oh')).toBeTruthy();
    const text = screen.getByLabelText<HTMLTextAreaElement>(/^Content of/);
    expect(text.value).toBe('{"id": "trip",');
    await user.clear(text);
    await user.paste('{"id": "trip", "name": "Trip", "prompt": "Pack."}');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(written[0]?.config).toMatchObject({ name: 'Trip' }));
  });

  it('asks before unsaved changes are discarded', async () => {
    const { user, fill } = await setUp(itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.' }));
    await fill(field('Category'), 'travel');
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    expect(await screen.findByText('Leave without saving?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(field('Category').value).toBe('travel');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }));
    expect(screen.queryByText('Leave without saving?')).toBeNull();
  });

  describe('with unsaved changes', () => {
    const trip = itemOf({ id: 'trip', name: 'Trip', prompt: 'Pack.' });
    const again = 'Your unsaved changes have been restored.';

    it('restores them after a reload, and saves against their base version', async () => {
      const { fill } = await setUp(trip);
      expect(screen.queryByText(again)).toBeNull();
      await fill(field('Category'), 'travel');
      cleanup();

      const { user, written } = await setUp({ ...trip, checksum: 'second' });
      expect(screen.getByText(again)).toBeTruthy();
      expect(field('Category').value).toBe('travel');
      await user.click(save());
      await waitFor(() => expect(written[0]?.ifMatch).toBe('"first"'));
      await waitFor(() => expect(screen.queryByText(again)).toBeNull());
      cleanup();
      await setUp(trip);
      expect(field('Category').value).toBe('');
    });

    it('restores a text that is not valid JSON yet', async () => {
      const { user } = await setUp(trip);
      await user.click(screen.getByRole('tab', { name: 'As JSON' }));
      const text = () => screen.getByLabelText<HTMLTextAreaElement>(/^Content of/);
      await user.clear(text());
      await user.paste('{"id": "trip",');
      cleanup();
      await setUp(trip);
      expect(text().value).toBe('{"id": "trip",');
    });

    it('forgets them when they are discarded', async () => {
      const one = await setUp(trip);
      await one.fill(field('Category'), 'travel');
      await one.user.click(screen.getByRole('button', { name: 'Discard' }));
      cleanup();
      const other = await setUp(trip);
      expect(field('Category').value).toBe('');
      await other.fill(field('Category'), 'travel');
      await other.user.click(screen.getByRole('link', { name: 'Elsewhere' }));
      await other.user.click(await screen.findByRole('button', { name: 'Leave without saving' }));
      cleanup();
      await setUp(trip);
      expect(field('Category').value).toBe('');
      expect(screen.queryByText(again)).toBeNull();
    });
  });
});
