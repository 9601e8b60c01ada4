const help = `Reads Agent Skills like the Knowhow server, and administers an installation.

Usage: knowhow COMMAND [ARGUMENT…]

Skills

  validate PATH… [--strict] [--json]
      Prints every diagnostic: path:line, severity, code, what is wrong and how to fix it.
      A PATH may also be an archive (.zip, .skill, .tar.gz, or a skill as .json): prints why it cannot
      be imported, or the diagnostics of each skill in it.
      Exits with 1 if a skill has an error and would not be offered, or if an
      archive or a skill in it would be rejected.
      --strict  exits with 1 if the reference library of the specification rejects a skill
  import PATH|ADDRESS [--out FOLDER] [--json] [--ref REF] [--path FOLDER]
      Prints what a folder, an archive or a git repository would be imported as: its skills, and those converted from
      plugins and flows of AnythingLLM, typed skills of Achilles, and plugins with skills. Names each file that is left
      out, and why. Exits with 1 if one is rejected.
      ADDRESS   owner/repo on GitHub, the https address of a repository, or a link to a folder or a SKILL.md in it
      --ref     a branch, a tag or a commit; by default that of the link, or the default branch
      --path    a folder of the repository; by default that of the link, or all
      --out     writes each accepted skill into its own folder in FOLDER
  sync DIR --from ADDRESS [--dry-run] [--insecure-http]
      Makes DIR contain the skills of the installation at ADDRESS, each in a folder of its name, and DIR/skills-lock.json
      with their digests. Updates and removes only what it wrote and what was not edited since. KNOWHOW_KEY holds an API key with the
      scope Skills; without it, you get what anonymous users may use. Exits with 1 if a folder is in the way.
      --dry-run only prints
      --insecure-http allows an http address on another machine: others on the network can read the key
  publish NAME --to ADDRESS --message TEXT [--replace] [--insecure-http]
      Sends the folder NAME, such as one that sync has written, to the installation at ADDRESS as a draft of the skill of its name,
      and submits it. Publishes it where no review is required and the key's user may publish. Refuses if another
      version was published since the last sync. KNOWHOW_KEY holds an API key with the scopes Skills and Authoring.
      Names each file that is left out, such as .git, node_modules and .env, and why.
      Exits with 1 if it is submitted but cannot be published, and with 2 if it is refused.
      --message what has changed, for reviewers and the list of versions
      --replace overwrites the skill's open draft, and withdraws its review
      --insecure-http allows an http address on another machine: others on the network can read the key
  list [PATH…] [--json]
      Prints the skills with their state: on, off, shadowed by one of the same name, or broken.
  show NAME [PATH…], show PATH
      Prints one skill: its fields, diagnostics and instructions.
  to-prompt PATH…
      Prints the <available_skills> block as sent to models.
  corpus DIR [--out FILE]
      Reads every folder with a SKILL.md in a tree, and counts verdicts and diagnostics.
      --out     writes one JSON object per line: path, id, valid, loads, enabled, codes
  retrieval DIR
      Builds the search index for the skills of a tree, queries it with the prompts that the authors
      wrote (in evals/), and prints how often the right skill is among the first, compared with an
      index of only names and descriptions.
  eval DIR --model ID,… [--app ID] [--json] [--against FILE]
      Puts the prompts of the skills in DIR (evals/trigger-evals.json, evals/evals.json) to models of
      this installation, together with its skills, and prints how often each skill was activated
      correctly. Exits with 1 if one was not.
      --app     in this app; by default, all skills are offered without further instructions
      --against shows differences to FILE, the --json output of an earlier run
  diagnostics
      Prints all diagnostics as Markdown.

PATH is a folder of skills, the folder of one skill, or a SKILL.md; if it is optional, it defaults to
the folder of this installation, contents/skills.

The installation at CONTENTS_DIR and DATA_DIR, set in the environment or in .env in this folder

  backup FILE [--data] [--only NAME,…]
      Writes a backup atomically, and names each file that is left out. The server may be running.
      --data    includes users, their password hashes and conversations
      --only    parts (apps, models, prompts, config, skills, other, data) or single items: skills/NAME
  restore FILE [--dry-run] [--yes] [--only NAME,…]
      Prints what a backup would change, asks for confirmation, and restores it. Stop the server first.
      --dry-run only prints; the server may be running
      --yes     skips the confirmation
  sources [--json]
      Prints the git repositories from which skills come: commit, last sync, installed skills, changes to take, and why
      the last sync failed. The server may be running.
  sources sync ID
      Reads the newest commit of a source, records it, and prints its changes. Installs nothing. Exits with 1 if the
      repository cannot be read.
  push DIR [--dry-run] [--yes] [--if-empty]
      Uploads the configuration and the skills in DIR to the database at DATABASE_URL, from which
      several servers read them. Prints the changes and asks for confirmation. Servers may be running,
      except for the first push. Rejects invalid files, and changes that would leave no administrator.
      --if-empty   changes nothing if the database already has a configuration
  pull DIR [--dry-run] [--yes]
      Downloads the configuration and the skills of the database to DIR, with the same confirmation.
  migrate --to URL [--yes]
      Copies an installation on SQLite and files into the empty PostgreSQL at URL, and verifies the copy.
      An interrupted migration continues when run again. Stop all servers first.
  runner [--measure]
      Runs scripts of skills for a remote server, which refers to it by SCRIPT_RUNNER_URL, until it is
      stopped. Uses its own HOST, PORT, DATA_DIR and SCRIPT_RUNNER_TOKEN.
      --measure only prints the overhead of running a script here
  reset-password [USER] [--stdin]
      Sets a new password for USER (default: admin), prints it, and ends their sessions. The server may be running.
      --stdin   reads the password from standard input

Exit codes: 0 success, 1 problems were found or rejected, 2 wrong usage.`;

/** The help of one command; without a known command, the help of all. */
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
