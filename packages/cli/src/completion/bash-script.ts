import type { CommandNode } from './command-tree.ts';
import { type Dialect, quoteShell, writeCases } from './shell-cases.ts';

const setValues = (words: readonly string[]): string => `values=${quoteShell(words.join(' '))}`;

/** bash shows no descriptions. */
const dialect: Dialect = {
  offerWords: setValues,
  offerOptions: (options) => setValues(options.map(([flag]) => flag)),
  offerCommands: (commands) => setValues(commands.map(([name]) => name)),
};

/**
 * A script for bash 3.2 and newer, without any other program. It finds the command by walking the words, and
 * leaves it to readline to complete file names where it has nothing to say.
 */
export function writeBashScript(root: CommandNode): string {
  const cases = writeCases(root, dialect);
  return `# bash completion of ${root.name}
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
