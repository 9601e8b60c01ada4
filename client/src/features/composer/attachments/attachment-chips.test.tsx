import {
  type Attachment,
  attachmentSchema,
  type ReadWarning,
  readWarningKinds,
} from '@knowhow/shared/chat/attachments';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Language } from '../../../i18n/languages.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { AttachmentChips } from './attachment-chips.tsx';

function attachment(fields: Partial<Attachment>): Attachment {
  return attachmentSchema.parse({
    ...{ id: 'f1', name: 'plan.docx', type: 'application/pdf', size: 2048 },
    ...{ kind: 'text', tokens: 100, length: 400 },
    ...fields,
  });
}

function show(attached: readonly Attachment[], language: Language) {
  const removed: Attachment[] = [];
  const nothing = () => undefined;
  const attachments = {
    ...{ uploads: [], isWaiting: false, isFull: false, isTemporary: false },
    ...{ attach: nothing, add: nothing, cancel: nothing },
    remove: (file: Attachment) => void removed.push(file),
  };
  renderApp(
    <AttachmentChips attached={attached} attachments={attachments} blind={undefined} />,
    {},
    language,
  );
  return removed;
}

const two = (kind: ReadWarning['kind']): ReadWarning => ({ kind, count: 2 });

it.each<[ReadWarning, string, string]>([
  [
    { kind: 'empty-pages', count: 1, names: ['3'] },
    'Page 3 has no text, perhaps a scan: the model cannot read it. Attach it as a picture.',
    'Seite 3 enthält keinen Text, vielleicht ein Scan: Das Modell kann sie nicht lesen.',
  ],
  [
    { kind: 'empty-pages', count: 30, names: ['3', '5'] },
    'Pages 3, 5, … have no text, perhaps scans: the model cannot read them.',
    'Die Seiten 3, 5, … enthalten keinen Text, vielleicht Scans',
  ],
  [{ kind: 'pictures', count: 1 }, '1 picture is not read.', '1 Bild wird nicht gelesen.'],
  [
    { kind: 'pictures', count: 1200 },
    '1,200 pictures are not read.',
    '1.200 Bilder werden nicht gelesen.',
  ],
  [two('charts'), '2 charts are not read.', '2 Diagramme mit Daten werden nicht gelesen.'],
  [
    two('diagrams'),
    '2 diagrams: only their text is read.',
    '2 Schaubilder: Nur ihr Text wird gelesen.',
  ],
  [
    two('formulas'),
    '2 formulas are sent as plain text.',
    '2 Formeln werden als einfacher Text gesendet.',
  ],
  [
    two('uncalculated'),
    '2 formulas have no stored results.',
    '2 Formeln haben keine gespeicherten Ergebnisse.',
  ],
  [
    two('deletions'),
    '2 tracked deletions are left out.',
    '2 nachverfolgte Löschungen werden weggelassen.',
  ],
  [
    { kind: 'attachments', count: 2, names: ['a.pdf', 'b.pdf'] },
    '2 attached files are not read: a.pdf, b.pdf.',
    '2 angehängte Dateien werden nicht gelesen: a.pdf, b.pdf.',
  ],
  [
    two('embedded'),
    '2 embedded objects are not read.',
    '2 eingebettete Objekte werden nicht gelesen.',
  ],
  [
    { kind: 'hidden', count: 1, names: ['Salaries'] },
    'Hidden content is sent too: Salaries.',
    'Ausgeblendetes wird mitgesendet: Salaries.',
  ],
  [
    { kind: 'encoding', count: 1, names: ['windows-1252'] },
    'The encoding was guessed (windows-1252).',
    'Die Zeichenkodierung wurde erraten (windows-1252).',
  ],
  [
    { kind: 'ending', count: 1, names: ['PNG'] },
    'The content is plain text, not PNG',
    'Der Inhalt ist einfacher Text, kein PNG',
  ],
])('describes in both languages what is not read: %o', (warning, english, german) => {
  const texts = (['en', 'de'] as const).map((language) => {
    show([attachment({ warnings: [warning] })], language);
    return screen.getAllByRole('status').at(-1)?.textContent ?? '';
  });
  expect(texts[0]).toContain(`plan.docx: ${english}`);
  expect(texts[1]).toContain('plan.docx: ');
  expect(texts[1]).toContain(german);
  expect(texts[1]).not.toMatch(/attachments\.|\{\{|\b(are|is|not read|left out)\b/);
});

it.each(['en', 'de'] as const)('has a text for every kind of warning in %s', (language) => {
  show([attachment({ warnings: readWarningKinds.map(two) })], language);
  const said = screen.getByRole('status').textContent ?? '';
  expect(said).not.toMatch(/attachments\.|\{\{|undefined/);
  expect(said.match(/[.!]/g)?.length).toBeGreaterThanOrEqual(readWarningKinds.length);
});

it.each([
  ['en', 'Attached files', 'Remove scan.pdf', '2 pages'],
  ['de', 'Angehängte Dateien', 'scan.pdf entfernen', '2 Seiten'],
] as const)(
  'names the file of each warning in %s, and its chip',
  async (language, label, remove, pages) => {
    const user = userEvent.setup();
    const scan = attachment({
      ...{ id: 'f2', name: 'scan.pdf', parts: { kind: 'page', count: 2 } },
      warnings: [{ kind: 'pictures', count: 3 }],
    });
    const removed = show([attachment({}), scan], language);
    const chips = within(screen.getByRole('list', { name: label })).getAllByRole('listitem');
    expect(chips.map((chip) => chip.textContent)).toEqual([
      expect.stringContaining('plan.docx'),
      expect.stringContaining(pages),
    ]);
    const said = screen.getByRole('status');
    expect(said.textContent).toContain('scan.pdf: 3 ');
    expect(said.textContent).not.toContain('plan.docx');
    await user.click(screen.getByRole('button', { name: remove }));
    expect(removed).toEqual([scan]);
  },
);

it('shows no warning for a file that is read completely', () => {
  show([attachment({}), attachment({ id: 'f2', name: 'b.txt', warnings: [] })], 'en');
  expect(screen.getByRole('status').textContent).not.toMatch(/plan\.docx|b\.txt/);
});
