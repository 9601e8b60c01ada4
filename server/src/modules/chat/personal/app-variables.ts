import type { UserVariable } from '@knowhow/shared/access/user-variables';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { type Localized, localize } from '@knowhow/shared/config/localized';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import type { Answers } from '../../identity/index.ts';

/** Values of an app's variables: valid answers, else the defaults. */
export function valuesFor(
  { userVariables }: AppConfig,
  answers: Answers,
  language: string,
): Map<string, string> {
  return new Map(
    userVariables.map((variable) => {
      const answer = validAnswer(variable, answers);
      return [variable.name, answer || localize(variable.defaultValue, language)];
    }),
  );
}

/** Answers that are valid for the app's current questions; others are dropped. */
export function validAnswers({ userVariables }: AppConfig, answers: Answers): Answers {
  return Object.fromEntries(
    userVariables
      .map((variable) => [variable.name, validAnswer(variable, answers)])
      .filter(([, answer]) => answer !== ''),
  );
}

/** Required variables without a valid answer or a default. */
export function findMissingAnswers({ userVariables }: AppConfig, answers: Answers): UserVariable[] {
  return userVariables.filter(
    (variable) =>
      variable.required && isEmpty(variable.defaultValue) && validAnswer(variable, answers) === '',
  );
}

/** Validates answers before they are stored. Throws `invalid-request` if one does not fit its question. */
export function checkAnswers({ userVariables }: AppConfig, answers: Answers): Answers {
  const issues: ProblemIssue[] = [];
  const addIssue = (name: string, message: string) =>
    issues.push({ path: `values.${name}`, code: 'invalid', message });
  for (const [name, written] of Object.entries(answers)) {
    const variable = userVariables.find((each) => each.name === name);
    if (!variable) {
      addIssue(name, `The app does not ask for "${name}".`);
    } else if (written.trim().length > variable.maxLength) {
      addIssue(name, `At most ${variable.maxLength} characters.`);
    } else if (written.trim() !== '' && validAnswer(variable, answers) === '') {
      addIssue(name, 'Choose one of the options.');
    }
  }
  if (issues.length > 0) {
    throw problem('invalid-request', 'Some of what you filled in does not fit.', { issues });
  }
  return validAnswers({ userVariables } as AppConfig, answers);
}

/** Empty if there is no valid answer. Whitespace is collapsed unless the variable is multi-line. */
function validAnswer(variable: UserVariable, answers: Answers): string {
  const { name, type, options = [] } = variable;
  const written = (Object.hasOwn(answers, name) ? (answers[name] ?? '') : '').trim();
  if (written.length > variable.maxLength) {
    return '';
  }
  if (type === 'select') {
    return options.some((option) => textsOf(option).includes(written)) ? written : '';
  }
  return type === 'text' ? written : written.replace(/\s+/g, ' ');
}

function textsOf(text: Localized): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

function isEmpty(text: Localized | undefined): boolean {
  return text === undefined || textsOf(text).every((each) => each.trim() === '');
}
