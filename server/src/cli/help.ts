const help = `Reads Agent Skills as the Knowhow server does, and looks after an installation.

Usage: knowhow COMMAND [ARGUMENT…]

Skills

  validate PATH… [--strict] [--json]
      Prints every diagnostic: path:line, severity, code, what is wrong and how to fix it.
      A PATH may be an archive too (.zip, .skill, .tar.gz, or a skill as .json): what keeps it from
      being imported is printed, else the diagnostics on each skill in it.
      Exits with 1 when a skill has an error, that is, when it would not be offered, and when an
      archive or a skill in it would be refused.
      --strict  exits with 1 when the reference library of the specification rejects a skill
  import PATH [--out FOLDER] [--json]
      Prints what a folder or an archive would become: its skills, and those made of plugins and flows
      of AnythingLLM, typed skills of Achilles, and plugins that bring skills.
      Exits with 1 when one is refused.
      --out     writes each skill that is not refused into a folder of its own in FOLDER
  list [PATH…] [--json]
      Prints the skills with their state: on, off, shadowed by one of the same name, or broken.
  show NAME [PATH…], show PATH
      Prints one skill: its fields, the diagnostics on it, and its instructions.
  to-prompt PATH…
      Prints the <available_skills> block that a model is given.
  corpus DIR [--out FILE]
      Reads every folder with a SKILL.md in a tree, and counts verdicts and diagnostics.
      --out     writes one JSON object a line: path, id, valid, loads, enabled, codes
  retrieval DIR
      Builds the index that skills are searched in from a tree, asks it the prompts that the authors
      wrote (in evals/), and prints how often the right skill is among the first, against an
      index of names and descriptions alone.
  eval DIR --model ID,… [--app ID] [--json] [--against FILE]
      Puts the prompts of the skills in DIR (evals/trigger-evals.json, evals/evals.json) to models of
      this installation, among its skills, and prints how often each skill was activated as it should
      be. Exits with 1 when one was not.
      --app     in this app; without it all skills are offered, and nothing else is said
      --against shows what differs from FILE, which an earlier run printed with --json
  diagnostics
      Prints every diagnostic there is, as Markdown.

PATH is a folder of skills, the folder of one skill, or a SKILL.md; where it may be left out, it
is the folder of this installation, contents/skills.

The installation that CONTENTS_DIR and DATA_DIR name, in the environment or in a file .env here

  backup FILE [--data] [--only NAME,…]
      Writes a backup, whole or not at all. The server may run.
      --data    with users, their password hashes and conversations too
      --only    parts (apps, models, prompts, config, skills, other, data) or single things: skills/NAME
  restore FILE [--dry-run] [--yes] [--only NAME,…]
      Prints what a backup would change, asks, and restores it. The server must not run.
      --dry-run only prints; the server may run
      --yes     does not ask
  push DIR [--dry-run] [--yes] [--if-empty]
      Makes the configuration and the skills in DIR those of the database that DATABASE_URL names, from which
      many servers have them. Prints what changes, and asks. Servers may run, but for the first time.
      Refuses what is broken, and what would leave nobody who can open the admin pages.
      --if-empty   changes nothing if the database holds a configuration already
  pull DIR [--dry-run] [--yes]
      Makes DIR what the database has, likewise.
  migrate --to URL [--yes]
      Copies an installation on SQLite and files into the empty PostgreSQL at URL, and compares what has arrived.
      What was broken off goes on when it is called again. No server may run.
  runner [--measure]
      Runs scripts of skills for a server elsewhere, which names it in SCRIPT_RUNNER_URL, until it is
      stopped. HOST, PORT, DATA_DIR and SCRIPT_RUNNER_TOKEN are its own.
      --measure only prints what a run of a script costs here
  reset-password [USER] [--stdin]
      Gives USER, or admin, a new password, prints it, and ends the sessions. The server may run.
      --stdin   takes the password from the standard input

Exit codes: 0 all is well, 1 something was found or refused, 2 the command was called in a wrong way.`;

/** What a command does, as the list of all of them says it; without one, or one it does not have, that list. */
export function helpOn(command = ''): string {
  const lines = help.split('\n');
  const start = lines.findIndex(
    (line) => line.startsWith(`  ${command} `) || line === `  ${command}`,
  );
  if (command === '' || start < 0) {
    return help;
  }
  const rest = lines.slice(start + 1);
  const length = rest.findIndex((line) => !line.startsWith('      '));
  return `Usage: knowhow ${lines[start]?.trim()}\n\n${rest.slice(0, length).join('\n')}`;
}
