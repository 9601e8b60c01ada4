/**
 * English messages about skills: by diagnostic code, with separate keys for special cases. `{{…}}`
 * is filled in from the values. Translations have the same keys and values.
 */
export const skillMessages = {
  unreadable:
    'SKILL.md cannot be read, is empty, or is a link that leads nowhere or out of its source.',
  'too-large': 'SKILL.md is larger than 4 MiB.',
  encoding: 'The file is not UTF-8; it was read as windows-1252.',
  utf16: 'The file is UTF-16.',
  'byte-order-mark': 'The file begins with a byte order mark.',
  'control-characters': 'Control characters were left out.',
  'line-endings': 'Lines end with a carriage return; they were read as plain line ends.',
  'frontmatter-missing': 'There is no frontmatter.',
  'frontmatter-late':
    'There is something before the frontmatter; text is read as part of the instructions.',
  'frontmatter-fenced': 'The file is in a code fence.',
  'frontmatter-unopened': 'The line "---" before the first field is missing.',
  'frontmatter-unclosed': 'The line "---" after the last field is missing.',
  'frontmatter-engine-refused':
    'Frontmatter in another language than YAML is refused; nothing of it was run.',
  'frontmatter-too-long': 'The frontmatter is longer than 64 KiB and was not read.',
  'frontmatter-unreadable':
    'No description can be read from the frontmatter, because it is not valid YAML.',
  'yaml-duplicate-keys': 'A field occurs twice in the frontmatter; the last one counts.',
  'yaml-tabs': 'The frontmatter is indented with tabs.',
  'yaml-quoted':
    'A value in the frontmatter holds characters that YAML gives a meaning, such as ": ".',
  'yaml-unclosed':
    'A brace, a bracket or a quotation mark in the frontmatter is opened and not closed.',
  'yaml-invalid': 'The frontmatter is not valid YAML; it was read line by line.',
  'yaml-comment': 'What follows " #" in the description is a comment; it is not read.',
  'merge-conflict': 'A merge conflict is not resolved; the lines of the first side are read.',
  'name-missing': "There is no name; the folder's is used.",
  'name-invalid': 'The name breaks the rules.',
  'name-directory-mismatch': 'The name differs from the folder; the folder counts.',
  'description-missing':
    'There is no description, so no one could tell when to use the skill: it is off until it has one.',
  'description-in-body': 'The description is in the body instead of the frontmatter.',
  'description-too-long': 'The description is longer than 1,024 characters.',
  'description-shortened':
    'With its name, the description has more than 200 tokens: models are shown its first sentences.',
  'compatibility-invalid': 'compatibility is not a text of 1 to 500 characters.',
  'compatibility-empty': 'compatibility is empty.',
  'metadata-invalid': 'metadata is not a map of texts.',
  'metadata-not-text': 'A value below metadata is not a text; it is kept as one.',
  'allowed-tools-invalid': 'allowed-tools is not a text.',
  'license-invalid': 'license is not a text.',
  'unknown-field': 'A field that the specification does not name; it is kept.',
  'tags-invalid':
    'A tag has other characters than a to z, 0 to 9 and hyphens; it is read in lower case, with hyphens for blanks.',
  'tags-too-many': 'There are more than 20 tags; the first 20 count.',
  'tools-missing': 'The skill requires a tool that is not available here; it is offered anyway.',
  'runtimes-missing':
    'The skill names a program that scripts cannot be run with here; it is offered anyway.',
  'tool-code-off':
    'The tool of the skill is code, which is not run here; its instructions are offered without it.',
  'dependencies-missing': 'The skill builds on a skill that there is not; it is offered anyway.',
  'dependencies-off': 'The skill builds on a skill that is switched off; it is offered anyway.',
  'dependencies-circular': 'The skill builds on skills that build on it.',
  'body-empty': 'There are no instructions.',
  'body-long': 'The body has more than 500 lines or about 5,000 tokens.',
  'body-too-long': 'The body is far longer than a model can take with a question.',
  'hidden-characters':
    'There are characters that cannot be seen, or that turn the direction of writing.',
  'looks-like-secret': 'A file holds what looks like a password or a key.',
  'file-missing': 'The instructions name a file that is not in the folder.',
  'module-outside':
    'It imports "{{module}}" from outside of its folder. The sandbox has only the files of the skill.',
  'files-not-inspected':
    'Not every file was looked into: up to 512 are, of up to 4 MiB, 16 MiB together.',
  'filename-case': 'The file is named skill.md.',
  'filename-mixed-case': 'The file is named neither SKILL.md nor skill.md.',
  'flattened-symlink': 'SKILL.md holds only the path of another file; that one was read.',
  'link-left-out': 'The link leads out of the folder of the skill, or nowhere: it was left out.',
  'name-left-out': 'The name holds a back-slash: no list, export or backup includes it.',
  'strict-refused':
    "Only with --strict: the standard's own validator refuses a list or map in brackets, an anchor, an alias, a tag, a control character in the frontmatter, and three dashes in a value.",
  'plugin-json-missing': 'There is a handler.js and no plugin.json beside it.',
  'plugin-json-invalid': 'plugin.json is not valid JSON: {{reason}}',
  'plugin-inactive': 'plugin.json does not say "active": true.',
  'plugin-handler-missing':
    'There is no handler.js, so the plugin is imported as instructions alone.',
  'plugin-handler-export':
    'handler.js does not export runtime.handler, so the plugin is imported as instructions alone.',
  'plugin-hub-id-mismatch':
    'The folder is named "{{folder}}" and the hubId is "{{name}}"; the hubId counts.',
  'plugin-entrypoint-missing': 'plugin.json has no "entrypoint", so its tool takes no parameters.',
  'plugin-holds-values':
    'plugin.json holds values of its settings; who may use the skill can read them.',
  'source-too-large': '{{file}} is larger than {{most}}.',
  'source-too-many-files': 'More than {{most}} files, or more than {{size}}, belong to it.',
  'source-refused': 'It cannot be understood: {{reason}}',
  'flow-invalid': 'The flow has the wrong shape: {{reason}}',
  'flow-too-long': 'The flow has {{count}} steps; {{most}} can be run.',
  'flow-step-unknown': 'Step {{step}} is of the kind "{{name}}", which cannot be run here.',
  'typed-name-missing': 'The file has no name before its type, and no heading.',
  'typed-kind-unknown': 'Unknown skill type: {{kind}}. It is imported as a plain skill.',
  'typed-config-invalid': '"## {{heading}}" cannot be read, so it has no effect: {{reason}}',
  'typed-context-invalid': 'The context of the code has no effect: {{reason}}',
  'typed-import-unavailable':
    'The code cannot import "{{module}}": only modules of Node.js and files of the skill are available.',
  'plugin-skill-missing': 'The plugin names a skill that is not in it: {{file}}.',
  'found-again': 'The skill at {{place}} is also at {{others}}. It is listed once.',
  'assignments-dropped':
    'The configuration already names a skill of this name. The import drops its entry in skills.json, its places in apps and its grants.',
  'same-name': 'Another skill with this name comes first.',
  'module-missing': 'It imports "{{module}}", which is not among the files of the skill.',
  'unreadable-empty': 'SKILL.md is empty.',
  'unreadable-no-file': 'SKILL.md is not a file.',
  'unreadable-error': 'SKILL.md cannot be read.',
  'unreadable-error-code': 'SKILL.md cannot be read ({{error}}).',
  'unreadable-leads-out': 'SKILL.md is a link that leads out of its source.',
  'unreadable-leads-nowhere': 'SKILL.md is a link to "{{target}}", which is not there.',
  'frontmatter-missing-path':
    'SKILL.md holds only the path of another file, "{{target}}", which is not in the source.',
  'frontmatter-engine-named': 'Frontmatter in "{{language}}" is refused; nothing of it was run.',
  'frontmatter-lost-merge-conflict':
    'A merge conflict is not resolved; the lines of the first side are read. No description can be read from it, so the skill is off.',
  'frontmatter-lost-yaml-unclosed':
    'The value of "{{field}}" begins with {{sign}} that is not closed. No description can be read from it, so the skill is off.',
  'frontmatter-lost-yaml-invalid':
    'Invalid SKILL.md frontmatter: {{error}}. It was read line by line. No description can be read from it, so the skill is off.',
  'yaml-unclosed-value': 'The value of "{{field}}" begins with {{sign}} that is not closed.',
  'yaml-invalid-error': 'Invalid SKILL.md frontmatter: {{error}}. It was read line by line.',
  'name-missing-folder': 'There is no name; the folder\'s, "{{name}}", is used.',
  'name-illegal': '"{{written}}" is not a legal name; "{{name}}" is used.',
  'name-illegal-long':
    '"{{written}}" ({{length}} characters) is not a legal name; "{{name}}" is used.',
  'name-hidden-characters': 'The name holds characters that cannot be seen: "{{written}}".',
  'name-differs':
    'Skill name mismatch: the folder is "{{folder}}" but SKILL.md has "{{written}}"; "{{name}}" is used.',
  'name-of-frontmatter': 'The folder "{{folder}}" is named "{{name}}" here, as its SKILL.md says.',
  'name-rule': 'A name has 1 to 64 lower-case letters and digits, with single hyphens between.',
  'name-rule-try':
    'A name has 1 to 64 lower-case letters and digits, with single hyphens between. Try "{{proposed}}".',
  'name-reserved': '"{{name}}" is used by Knowhow itself. Choose another name.',
  'name-device': '"{{name}}" is the name of a device on Windows. Choose another name.',
  'name-taken': 'There is a skill "{{name}}" already ({{location}}).',
  'description-commented':
    'The description begins with "#", which makes it a comment: there is none, and the skill is off until it has one.',
  'description-length': 'The description has {{length}} characters, {{over}} over the limit.',
  'unknown-field-named': '"{{field}}" is not a field of the specification; it is kept.',
  'unknown-field-unsafe': '"{{field}}" is not a field of the specification; nothing of it is read.',
  'unknown-field-more': '1 more field is not a field of the specification; it is kept.',
  'unknown-fields-more': '{{more}} more fields are not fields of the specification; they are kept.',
  'tag-read-as': '"{{tag}}" is not a legal tag; it is read as "{{read}}".',
  'tag-read': '"{{tag}}" is not a legal tag; it is read as it is.',
  'tags-number': 'There are {{number}} tags; the first {{most}} count.',
  'tools-named':
    'The skill requires tools that are not available here: {{tools}}. It is offered anyway.',
  'runtimes-named':
    'The skill names what the runner of scripts does not have: {{runtimes}}. It is offered anyway.',
  'runtimes-none':
    'The skill names {{runtimes}}, and nothing runs scripts here. It is offered anyway.',
  'dependencies-named':
    'The skill builds on skills that there are not: {{skills}}. It is offered anyway.',
  'dependencies-off-named':
    'The skill builds on skills that are switched off: {{skills}}. It is offered anyway.',
  'dependencies-circle': 'These skills build on each other: {{skills}}.',
  'body-lines': 'The body has {{lines}} lines and about {{tokens}} tokens.',
  'body-tokens': 'The body has about {{tokens}} tokens; the most that is taken is {{most}}.',
  'hidden-character': 'It holds a character that cannot be seen, the first in line {{line}}.',
  'hidden-number':
    'It holds {{number}} characters that cannot be seen, the first in line {{line}}.',
  'hidden-in-name': 'The name holds characters that cannot be seen.',
  'secret-private-key': 'Line {{line}} holds what looks like a private key',
  'secret-aws': 'Line {{line}} holds what looks like an AWS access key: {{start}}',
  'secret-github': 'Line {{line}} holds what looks like a GitHub token: {{start}}',
  'secret-slack': 'Line {{line}} holds what looks like a Slack token: {{start}}',
  'secret-google': 'Line {{line}} holds what looks like a Google API key: {{start}}',
  'secret-api-key': 'Line {{line}} holds what looks like an API key: {{start}}',
  'secret-other': 'Line {{line}} holds what looks like a secret: {{start}}',
  'nested-archive': 'It is an archive of its own; what is in there was not looked at.',
  'long-text': 'It is long: {{kilobytes}} kB.',
  'long-text-pages': 'It is long: {{kilobytes}} kB, a model reads it in {{pages}} pages.',
  'file-named': '"{{file}}" is not in the folder.',
  'file-named-nearest': '"{{file}}" is not in the folder; the nearest is "{{nearest}}".',
  'files-number': 'The instructions name {{number}} files that are not in the folder.',
  'files-more-one': 'There is 1 more finding that is not listed here.',
  'files-more': 'There are {{more}} more findings that are not listed here.',
  'files-skipped-one': '1 large or further file was not looked into.',
  'files-skipped': '{{skipped}} large or further files were not looked into.',
  'filename-named': 'The file is named {{name}}.',
  'filename-becomes': 'The file is named {{name}}; here it becomes SKILL.md.',
  'strict-list': "The standard's own validator refuses a list in brackets.",
  'strict-map': "The standard's own validator refuses a map in braces.",
  'strict-anchor': "The standard's own validator refuses an anchor.",
  'strict-alias': "The standard's own validator refuses an alias.",
  'strict-tag': "The standard's own validator refuses a tag.",
  'strict-tab': "The standard's own validator refuses a tab.",
  'strict-control-characters': "The standard's own validator refuses control characters.",
  'strict-dashes': 'The standard\'s own validator ends the frontmatter at the first "---".',
  'strict-length':
    "The description has more than {{most}} characters with the line end, which the standard's own validator counts.",
  'same-name-hidden': '{{hidden}} is hidden by {{first}}, which has the same name.',
} as const;

export type SkillMessage = keyof typeof skillMessages;
