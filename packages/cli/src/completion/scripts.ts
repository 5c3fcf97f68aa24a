import { type CommandNode, listCommands, type Lookup, type OptionNode, type Value } from './command-tree.ts';

/** What the scripts ask while a command line is written; no command for people. */
export const LOOK_UP_COMMAND = '__complete';

const setValues = (words: readonly string[]): string => `values=${quoteShell(words.join(' '))}`;

/** bash shows words without descriptions. */
const bashDialect: Dialect = {
  offerWords: setValues,
  offerOptions: (options) => setValues(options.map(([flag]) => flag)),
  offerCommands: (commands) => setValues(commands.map(([name]) => name)),
  offerLookup: (lookup, name) => `_${name}_offer ${lookup}`,
};

/**
 * A script for bash 3.2 and newer, without any other program. It finds the command by walking the words, and
 * leaves it to readline to complete file names where it has nothing to say.
 */
export function writeBashScript(root: CommandNode): string {
  const cases = writeCases(root, bashDialect);
  return `# bash completion of ${root.name}
# Each word of the service is quoted, and matched as text: compgen -W would obey what stands in it.
_${root.name}_offer() {
  local word
  while IFS=$'\\t' read -r word _; do
    printf -v word '%q' "$word"
    [[ $word != "$current"* ]] || COMPREPLY+=("$word")
  done < <(${lookUpCommand(root.name)} "$1" 2>/dev/null)
}
_${root.name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="" at=${quoteShell(root.name)} word values="" i count=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # bash parts --format=pdf into three words.
    [[ $word == "=" ]] && continue
    if [[ -n $before ]]; then
      before=""
      continue
    fi
    case "$at $word" in
${cases.walk}      *) [[ $word == -* ]] || count=$((count + 1)) ;;
    esac
  done
  [[ $current == "=" ]] && current=""
  if [[ -n $before ]]; then
    case "$at $before" in
${cases.optionValues}    esac
  elif [[ $current == -* ]]; then
    case "$at" in
${cases.options}    esac
  else
    case "$at $count" in
${cases.arguments}    esac
  fi
  [[ -z $values ]] || COMPREPLY=($(compgen -W "$values" -- "$current"))
}
complete -o bashdefault -o default -F _${root.name} ${root.name}
`;
}

const zshDialect: Dialect = {
  offerWords: (words) => `compadd -- ${words.map(quoteShell).join(' ')}`,
  offerOptions: (options) => describe('-o option', options),
  offerCommands: (commands) => describe('command', commands),
  offerLookup: (lookup, name) => `_${name}_offer ${lookup}`,
};

/** A script for zsh, to be sourced after `compinit` or stored as `_aftermeet` in a folder of `fpath`. */
export function writeZshScript(root: CommandNode): string {
  const cases = writeCases(root, zshDialect);
  return `#compdef ${root.name}
# zsh completion of ${root.name}
_${root.name}_offer() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(${lookUpCommand(root.name)} "$1" 2>/dev/null)
  (( $#found == 0 )) || _describe -V value found
}
_${root.name}() {
  local before='' at=${quoteShell(root.name)} word
  local -i i count=0
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $before ]]; then
      before=''
      continue
    fi
    case "$at $word" in
${cases.walk}      *) [[ $word == -* ]] || count=$((count + 1)) ;;
    esac
  done
  if [[ -z $before && \${words[CURRENT]} == --*=* ]]; then
    before=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $before ]]; then
    case "$at $before" in
${cases.optionValues}      *) _files ;;
    esac
  elif [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${cases.options}    esac
  else
    case "$at $count" in
${cases.arguments}      *) _files ;;
    esac
  fi
}
if [[ \${funcstack[1]} == _${root.name} ]]; then
  _${root.name} "$@"
else
  compdef _${root.name} ${root.name}
fi
`;
}

/** `_describe` splits a word from its description at the first colon. */
function describe(kind: string, items: readonly Described[]): string {
  const found = items.map(([word, description]) =>
    quoteShell(`${word.replaceAll(':', String.raw`\:`)}:${description}`),
  );
  return `found=(${found.join(' ')}); _describe ${kind} found`;
}

/** A script for fish 3 and newer, with one line for each possible word. */
export function writeFishScript(root: CommandNode): string {
  const commands = listCommands(root);
  const { name } = root;
  const flags = listValueOptions(commands).flatMap(({ words }) => words);
  return `# fish completion of ${name}
function __${name}_at --description 'Whether the words so far lead to this command, and to this argument of it'
    set -l at ${name}
    set -l before ''
    set -l number 0
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test -n "$before"
            set before ''
            continue
        end
        switch "$at $word"
            case ${listPaths(commands).map(quoteFish).join(' ')}
                set at "$at $word"
            case ${flags.map(quoteFish).join(' ')}
                set before $word
            case '*'
                string match -q -- '-*' $word; or set number (math $number + 1)
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test "$number" = "$argv[2]"
end
complete -c ${name} -f
${commands.map((command) => writeCommand(name, command)).join('')}`;
}

function writeCommand(program: string, command: CommandNode): string {
  const { path, commands, arguments: values, options } = command;
  return [
    ...commands.map(
      (child) => `${begin(program, `${path}' '0`)} -a ${child.name} -d ${quoteFish(child.summary)}\n`,
    ),
    ...values.map((value, index) => {
      const written = writeValue(program, value, ' -F');
      return written === '' ? '' : `${begin(program, `${path}' '${index}`)}${written}\n`;
    }),
    ...options.map((option) => `${begin(program, path)}${writeOption(program, option)}\n`),
  ].join('');
}

function begin(program: string, condition: string): string {
  return `complete -c ${program} -n "__${program}_at '${condition}'"`;
}

function writeOption(program: string, { flags, description, value }: OptionNode): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`,
  );
  return `${names.join('')}${value === undefined ? '' : writeValue(program, value, ' -r -F') || ' -x'} -d ${quoteFish(description)}`;
}

/** What fish offers for a value; empty: nothing is known of it. */
function writeValue(program: string, { choices, lookup, isFile }: Value, file: string): string {
  if (choices.length > 0) return ` -x -a ${quoteFish(choices.join(' '))}`;
  if (lookup !== undefined) {
    return ` -x -k -a ${quoteFish(`(${lookUpCommand(program)} ${lookup} 2>/dev/null)`)}`;
  }
  return isFile ? file : '';
}

/** Prints what the service knows: a word a line, and after a tab what it is. */
function lookUpCommand(program: string): string {
  return `command ${program} ${LOOK_UP_COMMAND}`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** A word with what it means. */
type Described = readonly [word: string, description: string];

/** How bash or zsh offers words. */
interface Dialect {
  readonly offerWords: (words: readonly string[]) => string;
  readonly offerOptions: (options: readonly Described[]) => string;
  readonly offerCommands: (commands: readonly Described[]) => string;
  readonly offerLookup: (lookup: Lookup, program: string) => string;
}

/** The branches of the `case` blocks that bash and zsh share. */
interface ShellCases {
  /** Of `$at $word`: enter a subcommand, or remember an option that takes a value. */
  readonly walk: string;
  /** Of `$at $before`: the possible values of an option. */
  readonly optionValues: string;
  /** Of `$at`: the options of a command. */
  readonly options: string;
  /** Of `$at $count`: the subcommands, or the possible values of an argument. */
  readonly arguments: string;
}

function writeCases(root: CommandNode, dialect: Dialect): ShellCases {
  const commands = listCommands(root);
  const valueOptions = listValueOptions(commands);
  return {
    walk:
      writeBranch(listPaths(commands), 'at="$at $word"') +
      writeBranch(
        valueOptions.flatMap(({ words }) => words),
        'before="$word"',
      ),
    optionValues: writeChoices(valueOptions, root.name, dialect),
    options: commands
      .map(({ path, options }) => {
        const described = options.flatMap(({ flags, description }) =>
          flags.map((flag) => [flag, description] as const),
        );
        return described.length === 0 ? '' : writeBranch([path], dialect.offerOptions(described));
      })
      .join(''),
    arguments:
      commands
        .filter(({ commands: below }) => below.length > 0)
        .map(({ path, commands: below }) => {
          const described = below.map(({ name, summary }) => [name, summary] as const);
          return writeBranch([`${path} 0`], dialect.offerCommands(described));
        })
        .join('') + writeChoices(listArguments(commands), root.name, dialect),
  };
}

/** A text in single quotes for bash and zsh. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The paths of all subcommands. */
function listPaths(commands: readonly CommandNode[]): readonly string[] {
  return commands.filter(({ path }) => path.includes(' ')).map(({ path }) => path);
}

/** A value and the words before it: `aftermeet export --format`, or `aftermeet report 0` for a first argument. */
interface Place {
  readonly words: readonly string[];
  readonly value: Value;
}

/** The options that take a value. */
function listValueOptions(commands: readonly CommandNode[]): readonly Place[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined ? [] : [{ words: flags.map((flag) => `${path} ${flag}`), value }],
    ),
  );
}

function listArguments(commands: readonly CommandNode[]): readonly Place[] {
  return commands.flatMap(({ path, arguments: values }) =>
    values.map((value, index) => ({ words: [`${path} ${index}`], value })),
  );
}

function writeChoices(places: readonly Place[], program: string, dialect: Dialect): string {
  return places
    .map(({ words, value: { choices, lookup } }) => {
      if (choices.length > 0) return writeBranch(words, dialect.offerWords(choices));
      return lookup === undefined ? '' : writeBranch(words, dialect.offerLookup(lookup, program));
    })
    .join('');
}

function writeBranch(patterns: readonly string[], action: string): string {
  return `      ${patterns.map(quoteShell).join('|')}) ${action} ;;\n`;
}
