import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, Route, Routes, useLocation } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderApp } from '../testing/render-app.tsx';
import { useUnsavedWarning } from './use-unsaved-warning.tsx';

let given: string[];

beforeEach(() => {
  given = [];
});

function Page() {
  const { question, letGo } = useUnsavedWarning(true, () => given.push('given up'));
  return (
    <>
      <h1>Changes</h1>
      <Link to="/beside">Beside</Link>
      <a href="#part">Part</a>
      <button type="button" onClick={letGo}>
        Save
      </button>
      {question}
    </>
  );
}

function Address() {
  const { pathname, search, hash, state } = useLocation();
  return <output>{`${pathname}${search}${hash} ${JSON.stringify(state)}`}</output>;
}

/** On a page with changes, between two other pages in the history. */
async function setUp() {
  renderApp(
    <>
      <Address />
      <Routes>
        <Route path="/" element={<Link to="/changes?a=1">Changes</Link>} />
        <Route path="/changes" element={<Page />} />
        <Route
          path="/beside"
          element={
            <Link to="/b%C3%BCcher/%20" state={{ from: 'beside' }}>
              Books
            </Link>
          }
        />
        <Route path="/bücher/*" element={<h1>Books</h1>} />
      </Routes>
    </>,
  );
  const user = userEvent.setup();
  const click = (name: string) => user.click(screen.getByRole('link', { name }));
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await click('Changes');
  return { user, click, press };
}

const address = () => screen.getByRole('status').textContent;
const arrives = (at: string) => waitFor(() => expect(address()).toBe(at));
const question = () => screen.queryByRole('dialog', { name: 'Leave without saving?' });
const isAsked = () => waitFor(() => expect(question()).not.toBeNull());
/** Whether the browser asks before the tab is closed. */
const holdsTab = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

describe('unsaved changes', () => {
  it('block a link until the user chooses to leave', async () => {
    const { click, press } = await setUp();
    await click('Beside');
    await isAsked();
    expect(address()).toBe('/changes?a=1 null');
    await press('Cancel');
    await waitFor(() => expect(question()).toBeNull());
    expect(given).toEqual([]);

    await click('Beside');
    await press('Leave without saving');
    await arrives('/beside null');
    expect(given).toEqual(['given up']);
  });

  it("block the browser's back button, which works after confirmation", async () => {
    const { press } = await setUp();
    history.back();
    await isAsked();
    await press('Cancel');
    await waitFor(() => expect(window.location.pathname).toBe('/changes'));
    expect(screen.getByRole('heading', { name: 'Changes' })).toBeTruthy();
    await waitFor(() => expect(question()).toBeNull());

    history.back();
    await press('Leave without saving');
    await arrives('/ null');
  });

  it('block the forward button', async () => {
    const { press, click } = await setUp();
    await press('Save');
    await click('Beside');
    await click('Books');
    await arrives('/b%C3%BCcher/%20 {"from":"beside"}');
    expect(screen.getByRole('heading', { name: 'Books' })).toBeTruthy();
    history.go(-2);
    await arrives('/changes?a=1 null');
    history.go(2);
    await isAsked();
    await press('Leave without saving');
    await arrives('/b%C3%BCcher/%20 {"from":"beside"}');
  });

  it('do not block a fragment link, and the back button after it', async () => {
    const { user, press } = await setUp();
    await user.click(screen.getByRole('link', { name: 'Part' }));
    await arrives('/changes?a=1#part null');
    expect(question()).toBeNull();
    history.go(-2);
    await isAsked();
    await press('Leave without saving');
    await arrives('/ null');
  });

  it('block closing the tab until they are saved', async () => {
    const { press, click } = await setUp();
    expect(holdsTab()).toBe(true);
    await press('Save');
    expect(holdsTab()).toBe(false);
    await click('Beside');
    await arrives('/beside null');
    expect(question()).toBeNull();
  });
});
