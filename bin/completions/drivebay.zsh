#compdef drivebay
# Made by `drivebay completion zsh`: to be sourced, or put as `_drivebay` into a folder of $fpath.
_drivebay() {
  local -a lines described
  local line
  lines=("${(@f)$(drivebay __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "${lines[1]}" in
    files) _files ;;
    folders) _files -/ ;;
    words)
      for line in "${(@)lines[2,-1]}"; do
        if [[ "$line" == *$'\t'* ]]; then
          described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        else
          described+=("${line//:/\\:}")
        fi
      done
      _describe drivebay described
      ;;
  esac
}
if [[ "$funcstack[1]" == _drivebay ]]; then _drivebay "$@"; else compdef _drivebay drivebay; fi
