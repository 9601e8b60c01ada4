import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { defaultChoices, getChoice } from './import-plan.ts';
import { ReviewedSkill } from './reviewed-skill.tsx';

const odd: SkillReport = {
  name: 'odd-one',
  folder: 'Odd One',
  displayName: 'Odd One',
  description: 'It is odd.',
  accepted: false,
  renamable: true,
  valid: false,
  diagnostics: [
    { code: 'name-invalid', severity: 'error', message: '"Odd One" is no name.', fixable: true },
  ],
  files: [],
  bytes: 100,
  tokens: { entry: 20, body: 10 },
};

function Review({ skill }: { skill: SkillReport }) {
  const [choice, setChoice] = useState(getChoice(skill, defaultChoices([skill])));
  return <ReviewedSkill skill={skill} choice={choice} fault={undefined} onChoose={setChoice} />;
}

it('shows no error for a selected skill that is renamed', async () => {
  renderApp(<Review skill={odd} />);
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'odd-one' });
  expect(box.checked).toBe(true);
  expect(screen.getByText('Warning')).toBeTruthy();
  expect(screen.queryByText('Error')).toBeNull();
  await userEvent.click(box);
  expect(screen.getByText('Error')).toBeTruthy();
});

it('shows an error for a skill that cannot be imported', () => {
  renderApp(<Review skill={{ ...odd, renamable: false }} />);
  expect(screen.getByText('Error')).toBeTruthy();
});

it('shows the source of a skill, and what happened to its parts', async () => {
  const origin: SkillReport['origin'] = {
    kind: 'anythingllm-plugin',
    name: 'letter-counter',
    mapped: [{ from: 'hubId', to: 'name' }],
    left: [{ what: 'handler.js', why: 'needs-runner' }],
    tool: 'letter-counter',
    off: true,
  };
  renderApp(<Review skill={{ ...odd, origin }} />);
  expect(
    screen.getByText(
      'AnythingLLM plugin: letter-counter · includes the tool letter-counter · imported switched off',
    ),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '2 parts of the original' }));
  expect(screen.getByText('handler.js')).toBeTruthy();
  expect(screen.getByText('is code: it runs only if scripts are allowed')).toBeTruthy();
});
