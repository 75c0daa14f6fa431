# Made by `drivebay completion fish`.
function __drivebay_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l lines (drivebay __complete -- $words[2..-1] "$last" 2>/dev/null)
  switch "$lines[1]"
    case files
      __fish_complete_path "$last"
    case folders
      __fish_complete_directories "$last"
    case words
      printf '%s\n' $lines[2..-1]
  end
end
complete -c drivebay -f -a '(__drivebay_complete)'
