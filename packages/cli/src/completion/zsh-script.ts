import type { CommandNode } from './command-tree.ts';
import { type Described, type Dialect, quoteShell, writeCases } from './shell-cases.ts';

const dialect: Dialect = {
  offerWords: (words) => `compadd -- ${words.map(quoteShell).join(' ')}`,
  offerOptions: (options) => describe('-o option', options),
  offerCommands: (commands) => describe('command', commands),
};

/** A script for zsh: to be sourced after `compinit`, or kept as `_aftermeet` in a folder of `fpath`. */
export function writeZshScript(root: CommandNode): string {
  const cases = writeCases(root, dialect);
  return `#compdef ${root.name}
# zsh completion of ${root.name}
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

/** `_describe` parts a word from its description at the first colon. */
function describe(kind: string, items: readonly Described[]): string {
  const found = items.map(([word, description]) =>
    quoteShell(`${word.replaceAll(':', String.raw`\:`)}:${description}`),
  );
  return `found=(${found.join(' ')}); _describe ${kind} found`;
}
