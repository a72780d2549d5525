function total
    echo 1
end
