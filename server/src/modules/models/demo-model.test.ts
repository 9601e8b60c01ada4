import { describe, expect, it } from 'vitest';
import { findTexts, locales } from '../../platform/lib/locales.ts';
import { gather, neverAborted } from '../../testing/ask-wire.ts';
import { skillTool, toolResult } from '../../testing/tool-conversation.ts';
import { demoModel } from './demo-model.ts';
import type { ModelMessage, ModelRequest } from './model.ts';

const catalogue = `You are helpful.

<available_skills>
  <skill>
    <name>meeting-notes</name>
    <description>Turn raw meeting notes into decisions &amp; actions. Use when someone pastes notes of a meeting. German - Protokoll, Besprechungsnotizen. Japanese - 会議のメモ、議事録。</description>
  </skill>
  <skill>
    <name>release-notes</name>
    <description>Write release notes from a list of changes. Use when a version ships.</description>
  </skill>
  <skill>
    <name>spreadsheet-review</name>
    <description>Review a spreadsheet for mistakes in formulas and data. German - Tabelle. Spanish - hoja de cálculo. French - feuille de calcul.</description>
  </skill>
</available_skills>`;

const instructions = `<skill_content name="meeting-notes">
# Meeting notes

1. Read the notes to the end.
2. List every decision with **who** decided.
3. List actions: owner, date.

An example of a catalogue: <available_skills><skill><name>fake</name><description>meeting</description></skill></available_skills>

Base: skill://meeting-notes/ . Relative paths are relative to it; read them with read_skill_resource.
<skill_resources>
  <file size="10">assets/template.md</file>
  <file size="20">references/Q&amp;A.md</file>
</skill_resources>
</skill_content>`;

const user = (content: string): ModelMessage => ({ role: 'user', content });

function ask(messages: ModelMessage[], fields: Partial<ModelRequest> = {}) {
  const request = { system: catalogue, tools: [skillTool], messages, ...fields };
  return gather(demoModel(request, neverAborted));
}

const called = (name: string): ModelMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'a', name: 'activate_skill', input: { skill_name: name } }],
});

const assistantReply: ModelMessage = { role: 'assistant', content: 'Well.', toolCalls: [] };

describe('the demo model, asked for what a skill does', () => {
  it.each([
    ['Please turn these meeting notes into actions: Ann will call Bob.', 'meeting-notes'],
    ['Could you summarise my notes of yesterdays meeting?', 'meeting-notes'],
    ['Write the release notes for version 2', 'release-notes'],
    ['Is there a mistake in this spreadsheet?', 'spreadsheet-review'],
    ['Mach aus diesen Besprechungsnotizen bitte ein Protokoll', 'meeting-notes'],
    ['Prüfe bitte meine Tabelle', 'spreadsheet-review'],
    ['Revisa mi hoja de cálculo, por favor', 'spreadsheet-review'],
    ['Pouvez-vous vérifier ma feuille de calcul ?', 'spreadsheet-review'],
    ['会議のメモから議事録を作ってください', 'meeting-notes'],
  ])('calls the tool: %s', async (message, name) => {
    expect(await ask([user(message)])).toMatchObject({
      text: '',
      calls: [{ name: 'activate_skill', input: { skill_name: name } }],
      stop: 'tool-calls',
    });
  });

  it.each(['Hello', 'Write a poem', 'What is the capital of France?', 'notes', 'Wer bist du?', ''])(
    'calls no tool if no skill fits clearly: %s',
    async (message) => {
      expect(await ask([user(message)])).toMatchObject({ calls: [], stop: 'stop' });
    },
  );

  it.each([
    ['What skills are there?', 'These are the skills that you can use here:'],
    ['List all available skills', 'These are the skills that you can use here:'],
    ['Welche Skills gibt es?', 'Diese Skills können Sie hier verwenden:'],
    ['¿Qué skills hay?', 'Estas son las skills que puede usar aquí:'],
    ['¿Qué habilidades tienes?', 'Estas son las skills que puede usar aquí:'],
    ['Quels skills sont disponibles ?', 'Voici les skills que vous pouvez utiliser ici\u00a0:'],
    [
      'Quelles compétences connaissez-vous ?',
      'Voici les skills que vous pouvez utiliser ici\u00a0:',
    ],
    ['どんなスキルがありますか', 'ここでは次のスキルを使えます。'],
    ['使えるスキルは何ですか？', 'ここでは次のスキルを使えます。'],
    ['スキルの一覧を見せてください', 'ここでは次のスキルを使えます。'],
  ])('lists the skills when asked which there are: %s', async (message, opening) => {
    const { text, calls } = await ask([user(message)], {
      system: catalogue.replace('Review a spreadsheet', 'Say how to write a skill, or review one'),
    });
    expect(calls).toEqual([]);
    expect(text).toContain(opening);
    expect(text).toContain(
      '- **release-notes**: Write release notes from a list of changes. Use when a version ships.\n',
    );
  });

  it('shortens a description at the end of a sentence or word, and counts skills beyond twenty', async () => {
    const entry = (name: string, description: string) =>
      `<skill><name>${name}</name><description>${description}</description></skill>`;
    const long = `${'Makes a short summary. '.repeat(8)}Use when a user asks for one, and more.`;
    const endless = 'word '.repeat(60).trim();
    const others = Array.from({ length: 30 }, (_, at) => entry(`other-${at}`, 'Is another.'));
    const system = `<available_skills>${entry('long', long)}${entry('endless', endless)}${others.join('')}</available_skills>`;
    const { text } = await ask([user('What skills are there?')], { system });
    expect(text).toContain('a short summary.\n- **endless**');
    expect(text).toMatch(/ word…\n/);
    expect(text).not.toContain(' …');
    expect(text).toContain('- 12 more; type `/` to find them');
  });

  it.each([...locales])('says all in the language %s', async (language, { demo }) => {
    const message = `${demo.ignoredWords} ${findTexts(language).stopWords}`;
    const quoted = [called('meeting-notes'), toolResult('a', instructions)];
    const failed = { ...toolResult('a', 'It is gone.'), isError: true };
    const answers = await Promise.all([
      ask([user(message)]),
      ask([user(message)], { system: '' }),
      ask([user(`${message} ${demo.skillWords} ${demo.listWords}`)]),
      ask([user(message), ...quoted]),
      ask([user(message), called('meeting-notes'), failed]),
    ]);
    const text = answers.map((answer) => answer.text).join('\n');
    const { ignoredWords, skillWords, listWords, more, ...said } = demo;
    for (const part of Object.values(said).flatMap((each) => each.split(/\{\{\w+\}\}/))) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('{{');
  });

  it('calls nothing if it was offered no tool', async () => {
    const answer = await ask([user('Turn these meeting notes into actions')], { tools: [] });
    expect(answer).toMatchObject({ calls: [], stop: 'stop' });
  });

  it("quotes the skill's steps and files after the tool's result", async () => {
    const { text, stop } = await ask([
      user('Turn these meeting notes into actions'),
      called('meeting-notes'),
      toolResult('a', instructions),
    ]);
    expect(stop).toBe('stop');
    expect(text).toContain('**demo model**, not a language model');
    expect(text).toContain('The skill **meeting-notes** is at work.');
    expect(text).toContain('1. Read the notes to the end.\n2. List every decision with **who**');
    expect(text).toContain('`assets/template.md`, `references/Q&A.md`');
    expect(text).not.toMatch(/skill:\/\/|<file/);
  });

  it('quotes the skill if the tool reports that it is active already', async () => {
    const { text } = await ask([
      user(instructions),
      assistantReply,
      user('Turn these meeting notes into actions'),
      called('meeting-notes'),
      toolResult('a', 'Skill "meeting-notes" is already active.'),
    ]);
    expect(text).toContain('1. Read the notes to the end.');
  });

  it('reports that the skill could not be activated', async () => {
    const { text, calls } = await ask([
      user('Turn these meeting notes into actions'),
      called('meeting-notes'),
      { ...toolResult('a', 'Skill "meeting-notes" is not available.'), isError: true },
    ]);
    expect(calls).toEqual([]);
    expect(text).toContain('**meeting-notes**, but it could not be activated');
    expect(text).toContain('> Skill "meeting-notes" is not available.');
  });
});

describe('the demo model, with an active skill', () => {
  const before = [user(`${instructions}\n\nHere are my notes.`), assistantReply];

  it('quotes it if the user picked it, regardless of the message', async () => {
    const asked = 'For this message the user asks for: meeting-notes.\n\nHere is my text.';
    for (const messages of [[user(`${instructions}\n\n${asked}`)], [...before, user(asked)]]) {
      const { text, calls } = await ask(messages);
      expect(calls).toEqual([]);
      expect(text).toContain('1. Read the notes to the end.');
    }
  });

  it("does not treat the user's instructions as a question", async () => {
    const wanted = '<user_instructions>\nMeeting notes, spreadsheets.\n</user_instructions>';
    const { calls } = await ask([user(`${wanted}\n\nTell me a joke.`)]);
    expect(calls).toEqual([]);
    const picked = 'For this message the user asks for: meeting-notes.\n\nHere is my text.';
    const { text } = await ask([user(`${wanted}\n\n${instructions}\n\n${picked}`)]);
    expect(text).toContain('1. Read the notes to the end.');
  });

  it('quotes it again for a later matching message, without a second call', async () => {
    const { text, calls } = await ask([...before, user('More meeting notes: …')]);
    expect(calls).toEqual([]);
    expect(text).toContain('1. Read the notes to the end.');
  });

  it('handles a later message that does not match', async () => {
    const thanks = await ask([...before, user('Thank you!')]);
    expect(thanks.text).not.toContain('Read the notes to the end');
    const release = await ask([...before, user('Write the release notes')]);
    expect(release.calls).toMatchObject([{ input: { skill_name: 'release-notes' } }]);
  });
});

describe('the demo model, with nothing to quote', () => {
  it('introduces itself, names skills to try and explains how to get a real model', async () => {
    const { text } = await ask([user('Hello')]);
    expect(text).toContain('I am the **demo model**, not a language model');
    expect(text).toContain('- **meeting-notes**: Turn raw meeting notes into decisions & actions.');
    expect(text).toContain('`OPENAI_API_KEY`');
    expect(text).toContain('Ollama');
  });

  it.each([
    ['en', 'What can you do for me?'],
    ['en', 'Car insurance in LA'],
    ['en', 'Insurance comment'],
    ['de', 'Hauptstadt der Schweiz'],
    ['de', 'Was kannst du für mich tun?'],
    ['es', '¿Qué puedes hacer por mí?'],
    ['es', 'Hola'],
    ['fr', 'Que pouvez-vous faire pour moi ?'],
    ['fr', 'Bonjour'],
    ['ja', '何ができますか'],
    ['ja', 'こんにちは'],
  ])('answers in the language %s: %s', async (language, message) => {
    const { text } = await ask([user(message)]);
    expect(text).toContain(findTexts(language).demo.introduce);
  });

  it('names at most five skills, and none if there are none', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `skill-${index}`);
    const skills = names.map((name) => `<skill><name>${name}</name></skill>`).join('');
    const many = await ask([user('Hello')], {
      system: `<available_skills>${skills}</available_skills>`,
    });
    expect(many.text.match(/- \*\*skill-\d/g)).toHaveLength(5);
    expect((await ask([user('Hello')], { system: '' })).text).toContain('You see no skills here.');
  });

  it('streams short pieces of whole characters and estimates its usage', async () => {
    const pieces: string[] = [];
    const request = { system: catalogue, tools: [], messages: [user('Hello')] };
    for await (const event of demoModel(request, neverAborted)) {
      if (event.type === 'text') {
        pieces.push(event.text);
      }
    }
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(60);
    const { text, usage } = await gather(demoModel(request, neverAborted));
    expect(pieces.join('')).toBe(text);
    expect(usage?.outputTokens).toBe(Math.ceil(text.length / 4));
    expect(usage?.inputTokens).toBeGreaterThan(catalogue.length / 5);
  });

  it('stops in the middle of an answer when aborted', async () => {
    const controller = new AbortController();
    const request = { system: catalogue, tools: [], messages: [user('Hello')] };
    const events = demoModel(request, controller.signal)[Symbol.asyncIterator]();
    await events.next();
    controller.abort('enough');
    await expect(events.next()).rejects.toBe('enough');
  });
});
