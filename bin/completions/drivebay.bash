# Made by `drivebay completion bash`.
# bash takes : and = for the ends of words, so the line is split here, and what bash believes to be words of their own is
# taken off again. Works with the bash 3.2 of macOS.
_drivebay_complete() {
  local line="${COMP_LINE:0:COMP_POINT}" current="${COMP_WORDS[COMP_CWORD]}" kind='' word before
  local -a words
  read -r -a words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  [[ "$current" == [:=] ]] && current=''
  local last="${words[${#words[@]}-1]}"
  before="${last%"$current"}"
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ -z "$kind" ]]; then kind="$word"; else COMPREPLY+=("${word#"$before"}"); fi
  done < <(drivebay __complete -- "${words[@]:1}" 2>/dev/null)
  case "$kind" in
    files) compopt -o filenames 2>/dev/null; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
    folders) compopt -o filenames 2>/dev/null; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current") ;;
  esac
}
complete -F _drivebay_complete drivebay
