/** Advice on improving a description, as translation keys; the most important first. */
export function descriptionAdvice(description: string) {
  const text = description.trim();
  return text === '' ? [] : rules.filter(({ applies }) => applies(text)).map((rule) => rule.advice);
}

/** Shorter descriptions say too little to choose by. */
const few = 60;

const when =
  /\b(when|whenever|if|before|after|while|wenn|sobald|falls|bevor|nachdem|während|immer)\b|\b(use (it|this )?for|for (tasks|questions|requests)|bei (der|dem|den|fragen)|beim|zum|zur)\b/iu;
/** Not "US", which is a country. */
const firstPerson =
  /(^|[\s("“„])(I|I['’](m|ll)|[Mm]e|[Mm]y|[Ww]e|[Oo]ur|[Uu]s|[Ii]ch|[Mm]i(r|ch)|[Mm]ein(e\w*)?|[Ww]ir|[Uu]ns(er\w*)?)(?=[\s,.;:!?)]|$)/u;

const rules = [
  { advice: 'newSkill.advice.when', applies: (text: string) => !when.test(text) },
  { advice: 'newSkill.advice.short', applies: (text: string) => [...text].length < few },
  { advice: 'newSkill.advice.person', applies: (text: string) => firstPerson.test(text) },
] as const;
