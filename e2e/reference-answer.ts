/** An answer with all Markdown features, for screenshots and checks. */
export const referenceAnswer = `## Decisions

1. **The billing service moves to PostgreSQL** in March; Anna owns the plan.
2. The old reports stay readable until the end of the year.

## Actions

| what | who | until |
|---|---|---|
| Write the migration plan | Anna | 12 March |
| Tell the accountants what changes | Jonas | 14 March |
| Measure a restore on a copy | Mei | 19 March |

Mei's measurement can begin with the script the team already has:

\`\`\`ts
export async function measureRestore(archive: string): Promise<number> {
  const started = performance.now();
  await restore(archive, { dryRun: true });
  return performance.now() - started; // milliseconds
}
\`\`\`

Two questions were left open: who may read the old reports, and whether \`dryRun\` counts the
indexes. I would put both on the agenda of the next meeting.
`;
